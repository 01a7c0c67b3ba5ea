import { describe, expect, test } from "vitest";
import type { Agent } from "../../src/connection/ports/agent.ts";
import { addUsage, NOTHING_SPENT } from "../../src/model/usage.ts";
import { teller } from "../../src/texts/tell.ts";
import { assign, hear, only } from "../connection/agents/support.ts";
import { eventually } from "../connection/processes/helpers.ts";

/** One adapter, made ready for one test. */
export interface AgentUnderTest {
  agent: Agent;
  /** What the agent was told in each call so far, the earliest first. */
  told(): Promise<string[]>;
  /** What belongs to the agent and is alive, processes or open requests, by number. */
  alive(): number[] | Promise<number[]>;
  /** Whether the agent is at work on something that never ends by itself. */
  hanging(): boolean;
}

export type Behaviour = "answers" | "hangs" | "fails";
export type MakeAgent = (behaviour: Behaviour) => Promise<AgentUnderTest>;

/**
 * What every adapter of the Agent port promises. Its agent answers `{"status": "done"}`. One that says nothing before its answer
 * cannot be left in the middle: only an abort ends it.
 */
export function agentContract(name: string, make: MakeAgent, { isSilent = false } = {}): void {
  describe(`${name} keeps the agent's contract:`, () => {
    test("it answers, with its structured answer, and leaves no process", async () => {
      const { agent, alive } = await make("answers");

      const { events, reply } = await hear(agent, assign());

      expect(reply.structured).toEqual({ status: "done" });
      expect(reply.failure).toBeUndefined();
      expect(events.every((event) => event.type === "notice" || event.role === "executor")).toBe(true);
      expect(await alive()).toEqual([]);
    });

    test("it gets the system prompt and the prompt, and nothing of the call before", async () => {
      const { agent, told } = await make("answers");
      const system_prompt = "SYSTEM-WORDS\nendless8-role: executor";

      await hear(agent, assign({ prompt: "FIRST-PROMPT", system_prompt }));
      await hear(agent, assign({ prompt: "SECOND-PROMPT", system_prompt }));

      const [first, second] = await told();
      expect(first).toMatch(/SYSTEM-WORDS/);
      expect(first).toMatch(/FIRST-PROMPT/);
      expect(second).toMatch(/SECOND-PROMPT/);
      expect(second).not.toMatch(/FIRST-PROMPT/);
    });

    test("what it says it spends is never negative, and adds up to its reply", async () => {
      const { agent } = await make("answers");

      const { events, reply } = await hear(agent, assign());

      const usages = only(events, "usage").map(({ usage }) => usage);
      expect(usages.every(({ tokens, cost_usd, seconds }) => Math.min(tokens, cost_usd, seconds) >= 0)).toBe(true);
      expect(usages.reduce(addUsage, NOTHING_SPENT)).toEqual(reply.usage);
      expect(reply.usage.seconds).toBeGreaterThan(0);
    });

    test("a failure is part of the reply, not an exception", async () => {
      const { agent, alive } = await make("fails");

      const { reply } = await hear(agent, assign());

      expect(reply.failure?.code).toEqual(expect.any(String));
      for (const language of ["en", "ja"] as const)
        expect(teller(language)(reply.failure?.message ?? "")).toMatch(/\S/);
      expect(reply.usage.seconds).toBeGreaterThan(0);
      expect(await alive()).toEqual([]);
    });

    test("an abort ends it with every process it started", async () => {
      const { agent, alive, hanging } = await make("hangs");
      const controller = new AbortController();
      const work = hear(agent, assign(), controller.signal);
      await eventually("it hangs", hanging);
      expect(await alive()).not.toEqual([]);

      controller.abort();
      const { reply } = await work;

      expect(reply.failure).toBeDefined();
      expect(await alive()).toEqual([]);
    });

    const unlessSilent = isSilent ? () => {} : test;
    unlessSilent("it ends with its reader", async () => {
      const { agent, alive, hanging } = await make("hangs");
      const work = agent.work(assign(), new AbortController().signal);
      await work.next();
      await eventually("it hangs", hanging);

      await work.return(undefined as never);

      expect(await alive()).toEqual([]);
    });

    test("prepared and closed, it has asked nothing and leaves no process", async () => {
      const { agent, alive, told } = await make("answers");

      agent.prepare?.(assign());
      await agent.close?.();
      await agent.close?.();

      expect(await told()).toEqual([]);
      expect(await alive()).toEqual([]);
    });

    test("what it does not know of its spending, it says in its events as in its reply", async () => {
      const { agent } = await make("answers");

      const { events, reply } = await hear(agent, assign());

      const unknown = only(events, "usage").flatMap(({ usage }) => usage.unknown ?? []);
      expect([...new Set(unknown)].sort()).toEqual([...(reply.usage.unknown ?? [])].sort());
    });

    test("aborted beforehand, it does nothing", async () => {
      const { agent, alive, told } = await make("answers");

      const { reply } = await hear(agent, assign(), AbortSignal.abort());

      expect(reply.failure).toBeDefined();
      expect(await told()).toEqual([]);
      expect(await alive()).toEqual([]);
    });
  });
}

import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AcpAgentOptions } from "../../../src/connection/agents/acp/options.ts";
import { message } from "../../../src/model/message.ts";
import { teller } from "../../../src/texts/tell.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { eventually } from "../processes/helpers.ts";
import { type AcpScript, acpBox } from "./acp-support.ts";
import { assign, hear, only } from "./support.ts";

const DONE = { say: '{"status": "done"}' };
const judge = () => assign({ role: "judge", system_prompt: "You judge." });

async function work(script: AcpScript, options: Partial<AcpAgentOptions> = {}, assignment = assign()) {
  const box = await acpBox(script);
  const heard = await hear(box.agent(options), assignment);
  return { ...heard, box, said: teller("en")(heard.reply.failure?.message ?? "") };
}

describe("an agent that breaks off", () => {
  test("a crash in the middle is a failure with its last words, and what it did before counts", async () => {
    const { reply, said, box } = await work({
      prompts: [[{ edit: "a.txt", content: "a" }, { stderr: "out of memory\n" }, { wait: 50 }, { crash: 7 }]],
    });

    expect(reply.failure?.code).toBe("crashed");
    expect(said).toBe("`the small agent` exited with code 7: out of memory");
    expect(reply.files_modified).toEqual(["a.txt"]);
    expect(box.alive()).toEqual([]);
  });

  test("the next answer after a crash comes from a new process", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const agent = box.agent();
    await hear(agent, judge());
    for (const pid of (await box.sent()).map(({ pid }) => pid).slice(0, 1)) expect(pid).toBeGreaterThan(0);
    for (const pid of box.alive()) process.kill(pid, "SIGKILL");
    await eventually("it is gone", () => box.alive().length === 0);

    const { reply } = await hear(agent, judge());

    expect(reply.structured).toEqual({ status: "done" });
  });

  test("one that ends before it has begun is told of with its words and what to do", async () => {
    const { reply, said } = await work({ exits: 3, last_words: "no such option: --acp\n" });

    expect(reply.failure?.code).toBe("configuration");
    expect(said).toMatch(/did not begin to speak the Agent Client Protocol: no such option: --acp.*Run its command/);
  });

  test("a program that is missing is told of", async () => {
    const program = {
      title: "Nobody",
      command: ["e8-nobody"],
      environment: {},
      mode: undefined,
      known: undefined,
    } as const;
    const { reply, said } = await work({}, { program });

    expect(reply.failure?.code).toBe("configuration");
    expect(said).toMatch(/e8-nobody/);
  });

  test("another version of the protocol says which of the two is to be updated", async () => {
    const older = await work({ version: 0 });
    const newer = await work({ version: 2 });

    expect(older.reply.failure?.code).toBe("configuration");
    expect(older.said).toMatch(/version 0 .* endless8 speaks 1\. Update the small agent$/);
    expect(newer.said).toMatch(/version 2 .* Update endless8$/);
  });
});

describe("an agent that says what it must not", () => {
  test("lines that are no messages are skipped", async () => {
    const { reply } = await work({
      banner: ["Loaded cached credentials.", "[1,2]", '"text"', "{broken", ""],
      prompts: [[{ noise: "Warning: slow" }, { noise: "null" }, DONE]],
    });

    expect(reply.failure).toBeUndefined();
    expect(reply.structured).toEqual({ status: "done" });
  });

  test("what an earlier session still says is not part of this answer", async () => {
    const box = await acpBox({ prompts: [[DONE], [{ late: "LATE" }, { late: "STRANGE", to: "nobody" }, DONE]] });
    const agent = box.agent();
    await hear(agent, judge());

    const { events, reply } = await hear(agent, judge());

    expect(reply.text).toBe('{"status": "done"}');
    expect(JSON.stringify(events)).not.toMatch(/LATE|STRANGE/);
  });

  test("responses that nobody asked for, unknown updates and unknown requests change nothing", async () => {
    const { reply } = await work({
      prompts: [
        [
          { raw: { id: 999, result: { stopReason: "end_turn" } } },
          { raw: { id: null, error: { code: -1, message: "?" } } },
          { raw: { method: "session/update", params: { sessionId: "session-1", update: { sessionUpdate: "news" } } } },
          { raw: { method: "session/update", params: 5 } },
          { raw: { method: "_vendor/hello", params: {} } },
          { update: { sessionUpdate: "tool_call_update", toolCallId: "never begun", status: "completed" } },
          { update: { sessionUpdate: "agent_message_chunk", content: null } },
          { call: "terminal/create", params: { command: "sh" } },
          { call: "fs/read_text_file", params: { path: "/etc/passwd" } },
          DONE,
        ],
      ],
    });

    expect(reply.failure).toBeUndefined();
    expect(reply.text).toMatch(/^error -32601error -32601\{"status": "done"\}$/);
  });

  test("a flood of updates is read as fast as it is wanted, and nothing of it is lost", async () => {
    const { events, reply } = await work({ prompts: [[{ flood: 10_000 }, DONE]] });

    expect(only(events, "tool-call")).toHaveLength(10_000);
    expect(reply.tool_results).toHaveLength(200);
    expect(reply.structured).toEqual({ status: "done" });
  });
});

describe("an agent that does not stop", () => {
  const hang = { run: "setsid tail -f /dev/null & echo > hanging; tail -f /dev/null" };

  test.each([
    ["follows a cancel", {}],
    ["ignores a cancel", { ignores_cancel: true, ignores_end: true }],
  ])("one that %s is ended with all that it started", async (_, manners) => {
    const box = await acpBox({ ...manners, prompts: [[{ say: "I hang." }, { hang: 1 }]] });
    const controller = new AbortController();
    const heard = hear(box.agent(), assign(), controller.signal);
    await eventually("it is asked", async () => (await box.prompts()).length > 0);

    controller.abort();
    const { reply } = await heard;

    expect(reply.failure?.message).toEqual(message("cancelled", {}));
    expect((await box.sentTo("session/cancel")).map(({ sessionId }) => sessionId)).toEqual(["session-1"]);
    expect(box.alive()).toEqual([]);
  });

  test("silence ends it, also while it starts", async () => {
    const box = await acpBox({ prompts: [[{ hang: 1 }]], ignores_cancel: true });
    const { reply } = await hear(box.agent({ silence_seconds: 1 }), assign());
    const program = {
      title: "Mute",
      command: ["tail", "-f", "/dev/null"],
      environment: {},
      mode: undefined,
      known: undefined,
    } as const;
    const mute = await hear(box.agent({ silence_seconds: 1, program }), assign());

    expect([reply.failure?.code, mute.reply.failure?.code]).toEqual(["silent", "silent"]);
    expect(box.alive()).toEqual([]);
  });

  test("money ends it: what is left of the budget is all that it may take", async () => {
    const cost = { sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.25, currency: "USD" } };
    const assignment = assign({ max_cost_usd: 0.2 });
    const { reply, box } = await work({ prompts: [[{ update: cost }, { hang: true }]] }, {}, assignment);

    expect(reply.failure).toEqual({ code: "budget", message: message("acp_overspent", { most: 0.2 }) });
    expect(reply.usage).toMatchObject({ cost_usd: 0.25, unknown: ["tokens", "cost"] });
    expect(box.alive()).toEqual([]);
  });

  test.each([{ crash: 3 }, { kill: true }, { error: { code: -32603, message: "Internal error" } }])(
    "what an answer has cost that does not come to its end is known in part: %j",
    async (end) => {
      const cost = { sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.25, currency: "USD" } };
      const usage = { _meta: { usage: { totalTokens: 100, inputTokens: 90, outputTokens: 10 } } };
      const prices = { default: { input: 1, output: 1 } };
      const told = { update: { ...cost, ...usage } };
      const { reply } = await work({ prompts: [[told, end]] }, { prices });
      const counted = await work({ prompts: [[{ update: { ...told.update, cost: null } }, end]] }, { prices });

      expect(reply.usage).toMatchObject({ tokens: 100, cost_usd: 0.25, unknown: ["tokens", "cost"] });
      expect(counted.reply.usage).toMatchObject({ tokens: 100, cost_usd: 100 / 1e6, unknown: ["tokens", "cost"] });
    },
  );

  test("the time for one answer ends it", async () => {
    const { reply, box } = await work({ prompts: [[hang]] }, { timeout_seconds: 1.5 });

    expect(reply.failure?.code).toBe("timeout");
    expect(box.alive()).toEqual([]);
  });
});

describe("permissions", () => {
  const bash = {
    toolCallId: "b",
    kind: "execute",
    title: "`rm -r src`",
    rawInput: { command: ["bash", "-lc", "touch ran"] },
  };

  test("what is allowed is allowed once, and happens", async () => {
    const { events, box } = await work({ prompts: [[{ permission: bash, allowed: [{ run: "touch ran" }] }, DONE]] });

    expect(existsSync(join(box.project, "ran"))).toBe(true);
    expect(only(events, "tool-denied")).toEqual([]);
    const answers = (await box.sent()).flatMap(({ result }) => (result ? [JSON.stringify(result)] : []));
    expect(answers).toEqual([JSON.stringify({ outcome: { outcome: "selected", optionId: "allow" } })]);
  });

  test.each<[string, Partial<AcpAgentOptions>, Partial<ReturnType<typeof assign>>]>([
    ["without a rule for it", { allowed_tools: ["Read"] }, {}],
    ["with a rule for other commands", { allowed_tools: ["Bash(npm test)"] }, {}],
    ["in plan mode", { permission_mode: "plan" }, {}],
    [
      "by the policy of a step",
      {},
      { forbids: ({ scripts }) => (scripts[0] === "touch ran" ? message("nothing_asked", {}) : undefined) },
    ],
    ["in a role", {}, { role: "judge", system_prompt: "You judge." }],
  ])("a call that is refused %s does not happen, and is told of", async (_, options, given) => {
    const script = { prompts: [[{ permission: bash, allowed: [{ run: "touch ran" }] }, DONE]] };

    const { events, reply, box } = await work(script, options, assign(given));

    expect(existsSync(join(box.project, "ran"))).toBe(false);
    expect(only(events, "tool-denied")).toMatchObject([{ tool: "Bash", reason: expect.anything() }]);
    expect(reply.tools_used).toEqual([]);
    expect(reply.failure).toBeUndefined();
  });

  test("a turn that ends with a refused call is no crash", async () => {
    const nothing = { allowed_tools: [] };
    const end = { end: { stopReason: "cancelled" } };
    const refused = await work({ prompts: [[{ permission: bash, allowed: [{ run: "touch ran" }] }, end]] }, nothing);
    const other = await work({ prompts: [[end]] });

    expect(only(refused.events, "tool-denied")).toHaveLength(1);
    expect(refused.reply.failure).toBeUndefined();
    expect(other.reply.failure).toMatchObject({ code: "crashed" });
  });

  test("a question of another session is not answered with yes", async () => {
    const { box } = await work({
      prompts: [[{ permission: bash, in: "session-0", allowed: [{ run: "touch ran" }] }, DONE]],
    });

    expect(existsSync(join(box.project, "ran"))).toBe(false);
  });

  test("a file that the agent asks us to write is written below the working directory, and nowhere else", async () => {
    const outside = await temporaryDirectory();
    const box = await acpBox({
      prompts: [
        [
          { write: "deep/er/a.txt", content: "a" },
          { write: join(outside, "b.txt"), content: "b" },
          { write: "../c.txt", content: "c" },
          { write: "link/d.txt", content: "d" },
          { write: ".e8/tasks/e.txt", content: "e" },
          { write: ".git/hooks/pre-commit", content: "f" },
          DONE,
        ],
      ],
    });
    await symlink(outside, join(box.project, "link"));
    await mkdir(join(box.project, ".e8"));

    const { events } = await hear(box.agent(), assign());

    expect(await readFile(join(box.project, "deep/er/a.txt"), "utf8")).toBe("a");
    expect(only(events, "tool-denied")).toHaveLength(5);
    for (const file of [join(outside, "b.txt"), join(outside, "d.txt"), join(box.project, "../c.txt")])
      expect(existsSync(file)).toBe(false);
    expect(existsSync(join(box.project, ".e8/tasks"))).toBe(false);
  });

  test("a role writes nothing", async () => {
    const { events, box } = await work({ prompts: [[{ write: "a.txt", content: "a" }, DONE]] }, {}, judge());

    expect(only(events, "tool-denied")).toHaveLength(1);
    expect(existsSync(join(box.project, "a.txt"))).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { acpBox } from "./acp-support.ts";
import { assign, hear } from "./support.ts";

const DONE = { say: '{"status": "done"}' };
/** One of the agents that keep nothing of a session in which nothing was asked. */
const FORGETFUL = { name: "@agentclientprotocol/codex-acp", prompts: [[DONE]] };

const methodsOf = (sent: readonly { method?: string }[]) => sent.map(({ method }) => method);

describe("a session is opened before it is needed", () => {
  test("for the first worker while its process waits, and for the next one as soon as an answer is there", async () => {
    const box = await acpBox(FORGETFUL);
    const agent = box.agent();

    agent.prepare?.(assign());
    await expect.poll(() => box.sentTo("session/new"), { timeout: 20_000 }).toHaveLength(1);
    agent.prepare?.(assign());
    await hear(agent, assign({ prompt: "FIRST" }));
    await expect.poll(() => box.sentTo("session/new"), { timeout: 20_000 }).toHaveLength(2);
    await hear(agent, assign({ prompt: "SECOND" }));

    const prompts = await box.sentTo("session/prompt");
    expect(prompts.map(({ sessionId }) => sessionId)).toEqual(["session-1", "session-2"]);
    const told = await box.prompts();
    expect(told[1]).toContain("SECOND");
    expect(await box.sentTo("session/new")).toHaveLength(2); // no further worker is expected
  });

  test("and the raw log has that, too", async () => {
    const lines: string[] = [];
    const box = await acpBox(FORGETFUL);
    const agent = box.agent({ raw_log: async (_iteration, _role, line) => void lines.push(line) });

    agent.prepare?.(assign());
    await expect.poll(() => box.sentTo("session/new"), { timeout: 20_000 }).toHaveLength(1);
    await hear(agent, assign());

    const methods = lines.flatMap((line) => /"method":"([^"]+)"/.exec(line)?.[1] ?? []);
    expect(methods.slice(0, 3)).toEqual(["initialize", "session/new", "session/prompt"]);
  });

  test("and by none of the agents that list it among those of their user", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const agent = box.agent();

    agent.prepare?.(assign());
    agent.prepare?.(assign());
    await hear(agent, assign());
    await hear(agent, assign({ role: "judge" }));

    expect(await box.sentTo("session/new")).toHaveLength(2);
    expect(await box.sentTo("session/prompt")).toHaveLength(2);
  });

  test("and by none that roles ask in between", async () => {
    const box = await acpBox(FORGETFUL);
    const agent = box.agent();

    agent.prepare?.(assign({ role: "summarizer" }));
    agent.prepare?.(assign());
    agent.prepare?.(assign());
    await hear(agent, assign());
    await hear(agent, assign({ role: "summarizer" }));

    expect(await box.sentTo("session/new")).toHaveLength(2);
  });

  test("a role does not get a worker's, and a worker with another model gets its own", async () => {
    const models = { currentModelId: "a", availableModels: ["a", "b"].map((modelId) => ({ modelId, name: modelId })) };
    const box = await acpBox({ ...FORGETFUL, models });
    const agent = box.agent();

    agent.prepare?.(assign({ model: "a" }));
    await expect.poll(() => box.sentTo("session/new"), { timeout: 20_000 }).toHaveLength(1);
    await hear(agent, assign({ role: "judge" }));
    await hear(agent, assign({ model: "b" }));

    const prompts = await box.sentTo("session/prompt");
    expect(prompts.map(({ sessionId }) => sessionId)).toEqual(["session-2", "session-3"]);
  });

  test("one that could not be opened is opened again, and the failure is the answer's", async () => {
    const refused = { code: -32000, message: "Authentication required" };
    const box = await acpBox({ ...FORGETFUL, refuses: { "session/new": refused } });
    const agent = box.agent();

    agent.prepare?.(assign());
    await expect.poll(() => box.sentTo("session/new"), { timeout: 20_000 }).toHaveLength(1);
    const { reply } = await hear(agent, assign());

    expect(reply.failure?.code).toBe("authentication");
    expect(await box.sentTo("session/new")).toHaveLength(2);
  });
});

describe("a session that has been answered", () => {
  test("is closed where the agent can: some keep a process for each", async () => {
    const capabilities = { sessionCapabilities: { close: {} } };
    const box = await acpBox({ capabilities, prompts: [[DONE]] });
    const agent = box.agent();

    await hear(agent, assign({ role: "judge" }));
    await hear(agent, assign({ role: "judge" }));

    const methods = methodsOf(await box.sent());
    expect(methods.slice(0, 4)).toEqual(["initialize", "session/new", "session/prompt", "session/close"]);
    expect((await box.sentTo("session/close"))[0]).toEqual({ sessionId: "session-1" });
  });

  test("is left alone where the agent cannot", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const agent = box.agent();

    await hear(agent, assign({ role: "judge" }));
    await hear(agent, assign({ role: "judge" }));

    expect(await box.sentTo("session/close")).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { fault, scene, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { RecordedRequest } from "../../../src/connection/agents/scripted/model/recording.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import type { Assignment } from "../../../src/model/agent.ts";
import { eventually } from "../processes/helpers.ts";
import { alive, done, expected, warmBox } from "./claude-warm-support.ts";
import { assign, hear, sent } from "./support.ts";

describe("an executor at work, when another answer is expected", () => {
  /** Has it answer, and says meanwhile that it may be asked again. */
  async function answerExpectingMore(agent: Agent, assignment: Assignment) {
    const work = hear(agent, assignment);
    agent.prepare?.(expected());
    return work;
  }

  test("gives that answer, too, in a context that is as fresh as a new process's", async () => {
    const first = scene(
      "executor",
      use("Bash", { command: "cd sub && export LEFT=1 && umask 077", description: "leave" }),
      use("Read", { file_path: "old.txt" }),
      use("TaskCreate", { subject: "TASK-OF-THE-FIRST", description: "x" }),
      done,
    );
    const words = "pwd; echo left: $LEFT; umask -S"; // the same in bash and zsh: Claude Code takes the user's shell
    const look = scene("executor", use("Bash", { command: words, description: "look" }), done);
    const box = await warmBox({ scenes: [first, look, look] });
    await box.write("project/old.txt", "CONTENT-OF-THE-FIRST");
    await box.write("project/sub/keep", "");
    const options = { allowed_tools: ["Bash", "Read", "TaskCreate"], executable: box.executable };
    const agent = box.agent(options);

    await answerExpectingMore(agent, assign({ prompt: "PROMPT-OF-THE-FIRST" }));
    const before = box.model.requests.length;
    const { reply } = await hear(agent, assign({ prompt: "the same" }));
    const [kept, afterKept] = box.model.requests.slice(before);
    expect(await box.starts()).toBe(1);
    await hear(box.agent(options), assign({ prompt: "the same" }));
    const [fresh, afterFresh] = box.model.requests.slice(before + 2);

    expect(reply.structured).toEqual({ status: "done" });
    expect(sent(kept) + sent(afterKept)).not.toContain("OF-THE-FIRST");
    expect(wordsOf(kept).join()).toContain("the same");
    expect(wordsOf(kept)).toEqual(wordsOf(fresh));
    expect(lastResult(afterKept)).toContain(`${box.project}\\nleft:\\nu=rwx,g=rx,o=rx`);
    expect(lastResult(afterKept)).toBe(lastResult(afterFresh));
  });

  test("is ended when it has left something running, and the next one is started at once", async () => {
    const leave = use("Bash", { command: "setsid tail -f /dev/null > /dev/null 2>&1 &", description: "leave" });
    const box = await warmBox({ scenes: [scene("executor", leave, done), scene("executor", done)] });
    const agent = box.agent({ allowed_tools: ["Bash"], executable: box.executable });

    await answerExpectingMore(agent, assign());
    await eventually("the next is started", async () => (await box.starts()) === 2);

    expect(alive(box)).toHaveLength(1);
    expect((await hear(agent, assign())).reply.structured).toEqual({ status: "done" });
    expect(await box.starts()).toBe(2);
  });

  test("is ended when its answer was none, and the next one is started at once", async () => {
    const box = await warmBox({ scenes: [scene("executor", fault(529)), scene("executor", done)] });
    const agent = box.agent({ executable: box.executable });

    const { reply } = await answerExpectingMore(agent, assign());
    await eventually("the next is started", async () => (await box.starts()) === 2);

    expect(reply.failure?.code).toBe("overloaded");
    expect((await hear(agent, assign())).reply.structured).toEqual({ status: "done" });
    expect(await box.starts()).toBe(2);
  });
});

/** What the model is sent, without what differs between any two conversations and without the note that there was a /clear. */
function wordsOf(request: RecordedRequest | undefined): string[] {
  const texts = JSON.stringify(request?.body.messages).match(/"text":"(?:[^"\\]|\\.)*"/g) ?? [];
  return texts
    .filter((text) => !/<local-command-|<command-name>\/clear/.test(text))
    .map((text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id").replace(/e8-\w{6}/g, "private"));
}

/** What the last tool returned. */
function lastResult(request: RecordedRequest | undefined): string {
  return (
    JSON.stringify(request?.body.messages)
      .match(/"tool_result","content":"(?:[^"\\]|\\.)*"/g)
      ?.at(-1) ?? "none"
  );
}

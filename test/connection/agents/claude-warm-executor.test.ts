import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { processTable } from "../../../src/connection/commands/processes.ts";
import { answer, fault, scene, use } from "../../../src/connection/models/scripted/builders.ts";
import type { RecordedRequest } from "../../../src/connection/models/scripted/recording.ts";
import type { Story } from "../../../src/connection/models/scripted/story.ts";
import type { Agent, Expectation } from "../../../src/connection/ports.ts";
import type { Assignment } from "../../../src/model/agent.ts";
import { countingClaude } from "../../support/counting-claude.ts";
import { eventually } from "../commands/helpers.ts";
import { assign, type ClaudeBox, claudeBox, hear, mcpServer, only, sent, skill } from "./support.ts";

const done = answer({ status: "done" });
const write = use("Write", { file_path: "made.txt", content: "made\n" });

const WRITING: Story = { scenes: [{ ...scene("executor", write, done), repeat: true }] };

async function warmBox(story = WRITING, before?: string) {
  const box = await claudeBox(story);
  return { ...box, ...(await countingClaude(box.home, before)) };
}
type WarmBox = Awaited<ReturnType<typeof warmBox>>;

function expected(given: Partial<Expectation> = {}): Expectation {
  const { prompt: _, iteration: __, ...rest } = assign();
  return { ...rest, ...given };
}

function alive(box: ClaudeBox): number[] {
  return [...processTable().carrying(`ENDLESS8_TASK=${box.task_token}`)];
}

/** Starts one and waits until it has read all that it reads at its start. */
async function prepared(box: WarmBox, agent: Agent, given: Partial<Expectation> = {}): Promise<void> {
  agent.prepare?.(expected(given));
  await eventually("it is started", async () => (await box.starts()) === 1);
  await eventually("it is at rest", () => isAtRest(alive(box)));
}

async function isAtRest(pids: number[]): Promise<boolean> {
  const used = () => execFileSync("ps", ["-o", "time=,cputimes=", "-p", pids.join(",")], { encoding: "utf8" });
  const before = used();
  await sleep(1500);
  return before === used();
}

const allowed = { allowed_tools: ["Write"] };

describe("an executor that was started ahead", () => {
  test("is the one that answers, and has asked the model nothing before", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);
    expect(box.model.requests).toHaveLength(0);

    const { reply } = await hear(agent, assign());

    expect(reply).toMatchObject({ structured: { status: "done" }, files_modified: ["made.txt"] });
    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(1);
    expect(alive(box)).toEqual([]);
  });

  test("is not kept where no further answer is expected", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    await hear(agent, assign({ prompt: "PROMPT-OF-THE-FIRST" }));
    expect(alive(box)).toEqual([]);
    const before = box.model.requests.length;
    agent.prepare?.(expected());
    await eventually("the next is started", async () => (await box.starts()) === 2);
    await hear(agent, assign({ prompt: "the second" }));

    expect(await box.starts()).toBe(2);
    expect(box.model.requests.slice(before).map(sent).join("\n")).not.toContain("OF-THE-FIRST");
  });

  test("knows what has changed since: instructions, rules, skills and git", async () => {
    const box = await warmBox();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: box.project, env: box.environment });
    git("init", "-q");
    await box.write("project/CLAUDE.md", "OLD-INSTRUCTIONS");
    await box.write("home/.claude/CLAUDE.md", "OLD-USER-INSTRUCTIONS");
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    await box.write("project/CLAUDE.md", "NEW-INSTRUCTIONS");
    await box.write("home/.claude/CLAUDE.md", "NEW-USER-INSTRUCTIONS");
    await box.write("project/.claude/rules/one.md", "NEW-RULE");
    await box.write("project/.claude/skills/polish/SKILL.md", skill("polish", "NEW-SKILL"));
    git(
      "-c",
      "user.name=test",
      "-c",
      "user.email=test@example.com",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "NEW-COMMIT",
    );
    await hear(agent, assign());

    const [request] = box.model.requests;
    for (const words of ["NEW-INSTRUCTIONS", "NEW-USER-INSTRUCTIONS", "NEW-RULE", "Use for polish", "NEW-COMMIT"])
      expect(sent(request)).toContain(words);
    expect(sent(request)).not.toContain("OLD-");
    expect(await box.starts()).toBe(1);
  });

  test.each([
    ["settings", "project/.claude/settings.json", { permissions: { deny: ["Write"] } }],
    ["the user's settings", "home/.claude/settings.json", { permissions: { deny: ["Write"] } }],
  ])("is replaced when %s have changed, and the new ones hold", async (_what, file, settings) => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    await box.write(file, settings);
    const { reply } = await hear(agent, assign());

    expect(await box.starts()).toBe(2);
    expect(reply.files_modified).toEqual([]);
  });

  test("is replaced when a subagent was added, which it could not know", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    await box.write(
      "project/.claude/agents/critic.md",
      "---\nname: critic\ndescription: NEW-SUBAGENT\n---\nBe strict.\n",
    );
    await hear(agent, assign());

    expect(await box.starts()).toBe(2);
    expect(sent(box.model.requests[0])).toContain("NEW-SUBAGENT");
  });

  test("is replaced when it was killed while it waited", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    for (const pid of alive(box)) process.kill(pid, "SIGKILL");
    const { reply } = await hear(agent, assign());

    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(2);
  });

  test.each([
    [10, 9.5, 1],
    [10, 5, 2],
    [undefined, 5, 2],
  ])("with a limit of %s USD, when %s are left, answers as process number %i", async (limit, left, starts) => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent, limit === undefined ? {} : { max_cost_usd: limit });

    const { reply } = await hear(agent, assign({ max_cost_usd: left }));

    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(starts);
  });

  test("is held to the tool policy of the answer, not to the one it was started with", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent, { forbids: () => undefined });

    const { events, reply } = await hear(agent, assign({ forbids: () => "not now" }));

    expect(await box.starts()).toBe(1);
    expect(only(events, "tool-denied")).toEqual([
      { type: "tool-denied", role: "executor", tool: "Write", reason: "not now" },
    ]);
    expect(reply.files_modified).toEqual([]);
  });

  test("may have waited for longer than an answer may take", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable, timeout_seconds: 5, silence_seconds: 5 });
    await prepared(box, agent);
    await sleep(5500);

    const { reply } = await hear(agent, assign());

    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(1);
  });

  test("and is not wanted is ended, with all it had on disk", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    await agent.close?.();

    expect(alive(box)).toEqual([]);
    expect(await readdir(join(box.home, "tmp"))).toEqual([]);
    expect(box.model.requests).toHaveLength(0);
  });

  test("is ended also while it still starts", async () => {
    const box = await warmBox(WRITING, "tail -f /dev/null");
    const agent = box.agent({ ...allowed, executable: box.executable });
    agent.prepare?.(expected());
    await eventually("it starts", async () => (await box.starts()) === 1);

    await agent.close?.();

    expect(alive(box)).toEqual([]);
  });
});

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
    const look = scene("executor", use("Bash", { command: "pwd; echo [$LEFT]; umask", description: "look" }), done);
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
    expect(lastResult(afterKept)).toContain(`${box.project}\\n[]\\n0022`);
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

describe("nothing is started ahead", () => {
  test("when an MCP server would be started with it", async () => {
    const box = await warmBox();
    const diary = join(box.home, "diary");
    const agent = box.agent({ ...allowed, executable: box.executable, mcp_servers: { e8: mcpServer(diary) } });

    agent.prepare?.(expected());
    await sleep(1500);

    expect(await box.starts()).toBe(0);
    expect((await hear(agent, assign())).reply.failure).toBeUndefined();
  });

  test("when a hook of the user's would run with it", async () => {
    const box = await warmBox();
    const hook = { hooks: [{ type: "command", command: "touch hook-ran" }] };
    await box.write("project/.claude/settings.json", { hooks: { SessionStart: [hook] } });
    const agent = box.agent({ ...allowed, executable: box.executable });

    agent.prepare?.(expected());
    await sleep(1500);

    expect(await box.starts()).toBe(0);
    expect(await readdir(box.project)).not.toContain("hook-ran");
  });

  test("twice for one answer", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    agent.prepare?.(expected());
    agent.prepare?.(expected());
    await prepared(box, agent);

    expect(await box.starts()).toBe(1);
  });

  test("beyond two at a time", async () => {
    const box = await warmBox(WRITING, "tail -f /dev/null");
    const agent = box.agent({ ...allowed, executable: box.executable });

    for (const max_turns of [1, 2, 3, 4]) agent.prepare?.(expected({ max_turns }));
    await eventually("two start", async () => (await box.starts()) === 2);
    await sleep(1500);

    expect(await box.starts()).toBe(2);
  });
});

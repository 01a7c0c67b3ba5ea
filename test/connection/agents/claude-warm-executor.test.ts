import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventually } from "../processes/helpers.ts";
import { alive, allowed, expected, prepared, WRITING, warmBox } from "./claude-warm-support.ts";
import { assign, hear, mcpServer, only, sent, skill } from "./support.ts";

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

  test("ends when it is not asked for a while; the work that comes all the same is done by a new one", async () => {
    const box = await warmBox();
    const agent = box.agent({ ...allowed, executable: box.executable });
    await prepared(box, agent);

    agent.rest?.("judge");
    agent.rest?.("executor");
    await eventually("it is gone", async () => alive(box).length === 0);
    const { reply } = await hear(agent, assign());

    expect(reply).toMatchObject({ structured: { status: "done" } });
    expect(await box.starts()).toBe(2);
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

    for (const model of ["a", "b", "c", "d"]) agent.prepare?.(expected({ model }));
    await eventually("two start", async () => (await box.starts()) === 2);
    await sleep(1500);

    expect(await box.starts()).toBe(2);
  });
});

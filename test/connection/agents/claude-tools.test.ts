import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { saying } from "../../support/saying.ts";
import { assign, type ClaudeBox, claudeBox, hear, mcpServer, only, sent, skill } from "./support.ts";

const done = answer({ status: "done" });

function executes(...turns: Turn[]): Promise<ClaudeBox> {
  return claudeBox(story(scene("executor", ...turns, done)));
}

function bash(command: string): Turn {
  return use("Bash", { command, description: "work" });
}

function diaryOf(box: ClaudeBox): { path: string; read: () => Promise<string> } {
  const path = join(box.home, "diary");
  return { path, read: async () => (existsSync(path) ? readFile(path, "utf8") : "") };
}

describe("permissions", () => {
  test("a tool that is not allowed is denied, reported once, and not counted as used", async () => {
    const box = await executes(use("Write", { file_path: "made.txt", content: "x" }), bash("true"));

    const { events, reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    const denied = only(events, "tool-denied");
    expect(denied).toHaveLength(1);
    expect(denied[0]).toMatchObject({ role: "executor", tool: "Write", reason: expect.stringContaining("denied") });
    expect(denied[0]?.reason).not.toContain("IMPORTANT");
    expect(reply.tools_used).toEqual(["Bash(true)"]);
    expect(reply.files_modified).toEqual([]);
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
  });

  test("Bash(git:*) lets git run and nothing else", async () => {
    const box = await executes(bash("git init -q ."), bash("touch made.txt"), bash("git status; touch made.txt"));

    const { events, reply } = await hear(box.agent({ allowed_tools: ["Bash(git:*)"] }), assign());

    expect(existsSync(join(box.project, ".git"))).toBe(true);
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
    expect(only(events, "tool-denied")).toHaveLength(2);
    expect(reply.tools_used).toEqual(["Bash(git)"]);
  });

  test.each(["default", "acceptEdits", "plan"] as const)("the mode %s is Claude Code's own", async (mode) => {
    const box = await executes(use("Write", { file_path: "made.txt", content: "x" }));

    await hear(box.agent({ permission_mode: mode }), assign());

    expect(existsSync(join(box.project, "made.txt"))).toBe(mode === "acceptEdits");
  });

  test("bypassPermissions allows everything but the records", async () => {
    const box = await executes(
      use("Write", { file_path: "made.txt", content: "x" }),
      use("Write", { file_path: ".e8/made.txt", content: "x" }),
    );
    const environment = { ...box.environment, IS_SANDBOX: "1" };

    await hear(box.agent({ permission_mode: "bypassPermissions", environment }), assign());

    expect(existsSync(join(box.project, "made.txt"))).toBe(true);
    expect(existsSync(join(box.project, ".e8/made.txt"))).toBe(false);
  });

  test("the records of the work can be neither read nor changed with file tools, from wherever it works; texts that were handed in can be read", async () => {
    const records = ["task.json", "history.jsonl", "history.jsonl.changed", "lock", "logs/iteration-001.jsonl"];
    const task = "../.e8/tasks/2026-01-23T13-30-00";
    const box = await executes(
      ...[...records, "output.md", "outputs/001.md"].map((name) => use("Read", { file_path: `${task}/${name}` })),
      ...["task.json", "output.md"].map((name) => use("Write", { file_path: `${task}/${name}`, content: "FORGED" })),
      use("Write", { file_path: "../plain.txt", content: "fine" }),
    );
    const project = join(box.project, "..", "project (1), [x]");
    const put = (name: string, text: string) => box.write(join("project (1), [x]/inner", task, name), text);
    for (const name of records) await put(name, "SECRET-RECORD");
    await put("output.md", "HANDED-IN-LAST");
    await put("outputs/001.md", "HANDED-IN-FIRST");
    await box.write("project (1), [x]/inner/keep", "");
    const agent = box.agent({ project, working_directory: join(project, "inner"), allowed_tools: ["Write", "Edit"] });

    await hear(agent, assign());

    const told = box.model.requests.map(sent).join();
    expect(told).not.toContain("SECRET-RECORD");
    expect(told).toContain("HANDED-IN-LAST");
    expect(told).toContain("HANDED-IN-FIRST");
    expect(await readFile(join(project, "inner", task, "task.json"), "utf8")).toBe("SECRET-RECORD");
    expect(await readFile(join(project, "inner", task, "output.md"), "utf8")).toBe("HANDED-IN-LAST");
    expect(existsSync(join(project, "plain.txt"))).toBe(true);
  });
});

describe("MCP servers", () => {
  const add = use("mcp__sums__add", { a: 19, b: 23 });

  test.each(["mcp__sums__*", "mcp__sums", "mcp__sums__add", "mcp__*", "mcp__*__*"])(
    "a server of mcp_servers is really called when %s is allowed",
    async (rule) => {
      const box = await executes(add);
      const diary = diaryOf(box);
      const agent = box.agent({ allowed_tools: [rule], mcp_servers: { sums: mcpServer(diary.path) } });

      const { reply } = await hear(agent, assign());

      expect(await diary.read()).toBe("started\n19 + 23\n");
      expect(sent(box.model.requests.at(-1))).toContain('"42"');
      expect(reply.tools_used).toEqual(["mcp__sums__add"]);
    },
  );

  test("the user's own servers are there, for all projects and for this one", async () => {
    const box = await executes(add, use("mcp__local__add", { a: 1, b: 2 }));
    execFileSync("git", ["init", "-q", box.project]);
    const diary = diaryOf(box);
    await box.write("project/deep/keep", "");
    await box.write("home/.claude.json", {
      mcpServers: { sums: mcpServer(diary.path) },
      projects: { [box.project]: { mcpServers: { local: mcpServer(diary.path) } } },
    });

    const working_directory = join(box.project, "deep");
    await hear(box.agent({ working_directory, allowed_tools: ["mcp__sums__*", "mcp__local__*"] }), assign());

    expect((await diary.read()).split("\n")).toEqual(expect.arrayContaining(["19 + 23", "1 + 2"]));
  });

  test("CLAUDE_CONFIG_DIR is where the user's servers are looked up", async () => {
    const box = await executes(add);
    const diary = diaryOf(box);
    await box.write("home/configuration/.claude.json", { mcpServers: { sums: mcpServer(diary.path) } });
    const environment = { ...box.environment, CLAUDE_CONFIG_DIR: join(box.home, "configuration") };

    await hear(box.agent({ environment, allowed_tools: ["mcp__sums__*"] }), assign());

    expect(await diary.read()).toContain("19 + 23");
  });

  test("a repository's server that the user has not approved is not started, and named once", async () => {
    const box = await claudeBox(story({ ...scene("executor", done), repeat: true }));
    const diary = diaryOf(box);
    await box.write("project/.mcp.json", { mcpServers: { sums: mcpServer(diary.path) } });
    await box.write("project/.claude/settings.json", { enableAllProjectMcpServers: true });
    const agent = box.agent({ allowed_tools: ["mcp__sums__*"] });

    const first = await hear(agent, assign());
    const second = await hear(agent, assign());

    expect(await diary.read()).toBe("");
    expect(only(first.events, "notice")).toMatchObject([
      { notice: { code: "mcp_left_out", params: { servers: "sums" } } },
    ]);
    expect(only(second.events, "notice")).toEqual([]);
  });

  test("a repository's server that mcp_servers names is started, its variables filled in", async () => {
    const box = await executes(add);
    const diary = diaryOf(box);
    const { args, ...server } = mcpServer(`${"$"}{DIARY}${"$"}{NOTHING:-}`);
    await box.write("project/.mcp.json", { mcpServers: { sums: { ...server, args } } });
    const environment = { ...box.environment, DIARY: diary.path };
    const agent = box.agent({ environment, allowed_tools: ["mcp__sums__*"], mcp_servers: { sums: true } });

    const { events } = await hear(agent, assign());

    expect(await diary.read()).toBe("started\n19 + 23\n");
    expect(only(events, "notice")).toEqual([]);
  });

  test("a server that cannot be started is named, and the work goes on", async () => {
    const box = await executes(bash("true"));
    const agent = box.agent({ allowed_tools: ["Bash"], mcp_servers: { broken: { command: "/no/such/program" } } });

    const { events, reply } = await hear(agent, assign());

    expect(only(events, "notice")).toMatchObject([{ notice: { code: "mcp_failed", params: { server: "broken" } } }]);
    expect(reply).toMatchObject({ structured: { status: "done" } });
  });

  test("a name in mcp_servers that is configured nowhere is a failure of the configuration", async () => {
    const box = await executes();

    const { reply } = await hear(box.agent({ mcp_servers: { nowhere: true } }), assign());

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying("nowhere") });
    expect(box.model.requests).toHaveLength(0);
  });

  test("the other roles start none", async () => {
    const box = await claudeBox(story(scene("judge", done)));
    const diary = diaryOf(box);
    await box.write("project/.mcp.json", { mcpServers: { sums: mcpServer(diary.path) } });

    await hear(box.agent({ mcp_servers: { sums: true } }), assign({ role: "judge" }));

    expect(await diary.read()).toBe("");
  });
});

describe("skills", () => {
  test("of the project and of skills_dir are offered and really used", async () => {
    const box = await executes(use("Skill", { skill: "inside" }), use("Skill", { skill: "e8:beside" }));
    await box.write("project/.claude/skills/inside/SKILL.md", skill("inside", "BODY-OF-INSIDE"));
    await box.write("home/my skills/beside/SKILL.md", skill("beside", "BODY-OF-BESIDE"));

    const { reply } = await hear(box.agent({ skills_dir: join(box.home, "my skills") }), assign());

    expect(sent(box.model.requests[0])).toMatch(/Use for inside.*Use for beside|Use for beside.*Use for inside/s);
    expect(sent(box.model.requests.at(-1))).toContain("BODY-OF-INSIDE");
    expect(sent(box.model.requests.at(-1))).toContain("BODY-OF-BESIDE");
    expect(reply.tools_used).toEqual(["Skill(inside)", "Skill(e8:beside)"]);
    expect(existsSync(join(box.home, "my skills/beside/SKILL.md"))).toBe(true);
  });

  test("of the project are not offered twice when skills_dir names their directory", async () => {
    const box = await executes();
    await box.write("project/.claude/skills/inside/SKILL.md", skill("inside", "body"));

    await hear(box.agent({ skills_dir: ".claude/skills" }), assign());

    expect(sent(box.model.requests[0]).match(/Use for inside/g)).toHaveLength(1);
  });

  test("of a skills_dir that is not there are a failure of the configuration", async () => {
    const box = await executes();

    const { reply } = await hear(box.agent({ skills_dir: "nowhere" }), assign());

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying("nowhere") });
  });
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { say, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene, Turn } from "../../src/connection/agents/scripted/model/story.ts";
import type { ExecutionSummary } from "../../src/model/records.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { summarizes, works } from "../support/stories.ts";

const MCP_SERVER = fileURLToPath(new URL("../support/mcp-server.mjs", import.meta.url));

/** A task file with one check that always holds, and a worker that takes these turns. */
async function worksWith(turns: Turn[], settings: object, ...more: Scene[]): Promise<Sandbox> {
  const box = await quickSandbox(story(works("used them", ...turns), summarizes("used them"), ...more));
  await box.write(
    "task.yaml",
    stringify({ task: "Use them", criteria: [{ type: "command", command: "true" }], ...settings }),
  );
  return box;
}

test("[FR-015] the executor really calls a tool of a real MCP server that mcp_servers names, without further permission", async () => {
  const box = await worksWith([use("mcp__sums__add", { a: 19, b: 23 })], {
    mcp_servers: { sums: { command: process.execPath, args: [MCP_SERVER, "diary"] } },
  });

  const ended = await box.e8(["run", "--config", "task.yaml", "--verbose"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.read("diary")).toContain("19 + 23");
  expect((await box.records())[0]).toMatchObject({ metadata: { tools_used: ["mcp__sums__add"] } });
});

test("[FR-015] a repository's own server is started only when its name is in mcp_servers; otherwise it is named in a note", async () => {
  const box = await worksWith([], {});
  const servers = { mcpServers: { theirs: { command: process.execPath, args: [MCP_SERVER, "diary"] } } };
  await box.write(".mcp.json", JSON.stringify(servers));

  const ended = await box.e8(["run", "--config", "task.yaml"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/not started: theirs/);
  expect(existsSync(join(box.project, "diary"))).toBe(false);
});

test.each([
  ["the project's .claude/skills", ".claude/skills", {}],
  ["a skills_dir elsewhere", "our skills", { skills_dir: "our skills" }],
])("[FR-016] the executor really uses a skill of %s", async (_, directory, settings) => {
  const box = await worksWith([use("Skill", { skill: "rhyme" })], {
    ...settings,
    claude_options: { allowed_tools: ["Skill"] },
  });
  const skill = "---\nname: rhyme\ndescription: How to rhyme\n---\nRHYME-LIKE-THIS: cat, hat.\n";
  await box.write(`${directory}/rhyme/SKILL.md`, skill);

  const ended = await box.e8(["run", "--config", "task.yaml", "--verbose"]);

  expect(ended.code, ended.stderr).toBe(0);
  const followUp = box.model.requests.filter(({ who }) => who === "executor").at(-1);
  expect(JSON.stringify(followUp?.body)).toContain("RHYME-LIKE-THIS");
});

test("[FR-017] --allow-tool lets the real Claude Code use a tool that is not among the configured ones", async () => {
  const search = use("WebSearch", { query: "how to rhyme" });
  const found = scene({ when: "how to rhyme", repeat: true }, say("RHYMES-FOUND"));
  const run = async (...flags: string[]) => {
    const box = await worksWith([search], {}, found);
    const ended = await box.e8(["run", "--config", "task.yaml", ...flags]);
    expect(ended.code, ended.stderr).toBe(0);
    const [record] = await box.records();
    const { tools_used } = (record as ExecutionSummary).metadata;
    return { tools_used, isDenied: /not allowed: WebSearch/.test(ended.stderr) };
  };

  expect(await run()).toEqual({ tools_used: [], isDenied: true });
  expect(await run("--allow-tool", "WebSearch")).toEqual({ tools_used: ["WebSearch"], isDenied: false });
});

test("[FR-017] tools are allowed as configured, and a denied one is shown, as is whatever would remove the records", async () => {
  const bash = (command: string) => use("Bash", { command, description: "work" });
  const box = await worksWith([bash("git init -q ."), bash("touch made.txt"), bash("git clean -fdx")], {
    claude_options: { allowed_tools: ["Bash(git:*)"] },
  });

  const ended = await box.e8(["run", "--config", "task.yaml"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(existsSync(join(box.project, ".git"))).toBe(true);
  expect(existsSync(join(box.project, "made.txt"))).toBe(false);
  expect(ended.stderr).toMatch(/not allowed: Bash/);
  expect(ended.stderr).toMatch(/git clean -x would remove \.e8.*git clean -fdx -e \.e8/);
  expect(existsSync(join(box.project, "task.yaml"))).toBe(true);
});

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { ToolResult } from "../../../src/model/agent.ts";
import { assign, type ClaudeBox, claudeBox, hear, only, TURNS } from "./support.ts";

const max_turns = { ...TURNS, reviewer: 30 };
const done = answer({ status: "done" });

/** The real Claude Code, as a reviewer of a checkout, with these tool calls. */
async function reviews(
  calls: readonly (readonly [string, Record<string, unknown>])[],
  more: (box: ClaudeBox) => Promise<void> = async () => {},
) {
  const box = await claudeBox(story(scene("reviewer", ...calls.map(([tool, input]) => use(tool, input)), done)));
  await box.write("room/src/sum.js", "export const sum = 1;\n");
  await box.write("room/.e8/tasks/t/task.json", '{"secret": "hidden-check"}');
  await box.write("outside.txt", "outside-secret\n");
  await box.write("project/mine.txt", "project-secret\n");
  await more(box);
  const agent = box.agent({
    allowed_tools: ["Bash", "Write", "Edit"],
    permission_mode: "bypassPermissions",
    max_turns,
  });
  const reads = join(box.project, "../room");
  return { box, ...(await hear(agent, assign({ role: "reviewer", reads }))) };
}

const outputs = (results: readonly ToolResult[] = []) => results.map(({ output }) => output).join("\n");

test("a reviewer reads, searches and lists files of the checkout", async () => {
  const { reply, events } = await reviews([
    ["Read", { file_path: "src/sum.js" }],
    ["Grep", { pattern: "sum" }],
    ["Glob", { pattern: "**/*.js" }],
  ]);

  expect(reply.failure).toBeUndefined();
  expect(reply.structured).toEqual({ status: "done" });
  expect(reply.tools_used).toEqual(["Read", "Grep", "Glob"]);
  expect(outputs(reply.tool_results)).toContain("export const sum = 1;");
  expect(only(events, "tool-denied")).toEqual([]);
});

test("it reads nothing outside, by whatever way, nor the records of runs", async () => {
  const { reply } = await reviews(
    [
      ["Read", { file_path: "/etc/passwd" }],
      ["Read", { file_path: "../outside.txt" }],
      ["Read", { file_path: "link.txt" }],
      ["Read", { file_path: "linked/outside.txt" }],
      ["Read", { file_path: "../project/mine.txt" }],
      ["Grep", { pattern: "secret", path: "..", output_mode: "content" }],
      ["Grep", { pattern: "secret", path: "linked", output_mode: "content" }],
      ["Grep", { pattern: "hidden", output_mode: "content" }],
      ["Glob", { pattern: "../*.txt" }],
      ["Glob", { pattern: "*.txt", path: ".." }],
      ["Read", { file_path: ".e8/tasks/t/task.json" }],
      ["Grep", { pattern: "secret", path: ".e8", output_mode: "content" }],
    ],
    async ({ project }) => {
      await symlink("../outside.txt", join(project, "../room/link.txt"));
      await symlink("..", join(project, "../room/linked"));
    },
  );

  expect(reply.failure).toBeUndefined();
  expect(outputs(reply.tool_results)).not.toMatch(/outside-secret|project-secret|hidden-check|mine\.txt|root:x/);
}, 60_000);

test("it runs and writes nothing, whatever the worker may do", async () => {
  const { box, reply } = await reviews([
    ["Bash", { command: "touch ran.txt; touch ../ran.txt" }],
    ["Write", { file_path: "written.txt", content: "x" }],
    ["Edit", { file_path: "src/sum.js", old_string: "1", new_string: "2" }],
    ["WebFetch", { url: "http://127.0.0.1:9/", prompt: "x" }],
    ["Task", { description: "x", prompt: "x", subagent_type: "general-purpose" }],
  ]);

  expect(reply.failure).toBeUndefined();
  for (const file of ["../room/ran.txt", "../ran.txt", "../room/written.txt"]) expect(await box.read(file)).toBe("");
  expect(await box.read("../room/src/sum.js")).toBe("export const sum = 1;\n");
});

test("it reads no settings and starts no server of the user or the checkout", async () => {
  const { box, reply } = await reviews([["Read", { file_path: "src/sum.js" }]], async ({ write, project }) => {
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: `touch ${join(project, "hooked.txt")}` }] }] };
    await write("room/.claude/settings.json", { hooks, permissions: { allow: ["Bash"] } });
    await write("room/CLAUDE.md", "FORGED-INSTRUCTIONS\n");
    await write("room/.mcp.json", {
      mcpServers: { evil: { command: "touch", args: [join(project, "served.txt")] } },
    });
  });

  expect(reply.failure).toBeUndefined();
  expect([await box.read("hooked.txt"), await box.read("served.txt")]).toEqual(["", ""]);
  expect(JSON.stringify(box.model.requests.map(({ body }) => body))).not.toContain("FORGED-INSTRUCTIONS");
});

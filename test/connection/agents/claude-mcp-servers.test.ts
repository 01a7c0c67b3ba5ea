import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { selectMcpServers } from "../../../src/connection/agents/claude/startup-files.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { claudeOptions } from "./support.ts";

const server = (command: string) => ({ command, args: [] });
const committed = { "project/.mcp.json": { mcpServers: { one: server("one"), two: server("two") } } };

/** Selects with these files in a home and a project. */
async function select(files: object, options: Parameters<typeof claudeOptions>[1] = {}) {
  const root = await temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (typeof content === "string" ? content : JSON.stringify(content)).replaceAll("<root>", root));
  }
  const box = { project: join(root, "project"), environment: { HOME: join(root, "home") }, task_token: "t" };
  const working_directory = join(root, String(options.working_directory ?? "project"));
  return selectMcpServers(claudeOptions(box, { ...options, working_directory }));
}

describe("a repository's servers are started when the user has approved them", () => {
  test.each([
    [
      "all, in the user's settings",
      { "home/.claude/settings.json": { enableAllProjectMcpServers: true } },
      ["one", "two"],
    ],
    ["by name, in the user's settings", { "home/.claude/settings.json": { enabledMcpjsonServers: ["two"] } }, ["two"]],
    [
      "in the project's local settings",
      { "project/.claude/settings.local.json": { enabledMcpjsonServers: ["one"] } },
      ["one"],
    ],
    [
      "in Claude Code's own records",
      { "home/.claude.json": { projects: { "<root>/project": { enabledMcpjsonServers: ["one"] } } } },
      ["one"],
    ],
    [
      "all but those refused",
      {
        "home/.claude/settings.json": { enableAllProjectMcpServers: true },
        "project/.claude/settings.local.json": { disabledMcpjsonServers: ["one"] },
      },
      ["two"],
    ],
    ["not by the repository itself", { "project/.claude/settings.json": { enableAllProjectMcpServers: true } }, []],
    [
      "not for another project",
      { "home/.claude.json": { projects: { "<root>/other": { enabledMcpjsonServers: ["one"] } } } },
      [],
    ],
    ["not by a broken file", { "home/.claude/settings.json": "{ enableAll" }, []],
    ["not by settings of another shape", { "home/.claude/settings.json": { enabledMcpjsonServers: "one" } }, []],
  ])("%s", async (_how, files: object, names: string[]) => {
    const { servers, left_out } = await select({ ...committed, ...files });

    expect(Object.keys(servers)).toEqual(names);
    expect(left_out).toEqual(["one", "two"].filter((name) => !names.includes(name)));
  });

  test("a name that every object of the language has approves nothing", async () => {
    const names = ["constructor", "toString", "hasOwnProperty"];
    const mcpServers = Object.fromEntries(names.map((name) => [name, server("unasked")]));
    const files = { "project/.mcp.json": { mcpServers } };

    expect(await select(files)).toEqual({ servers: {}, left_out: names });
    expect(await select({}, { mcp_servers: { constructor: true as const } })).toMatchObject({ missing: "constructor" });
  });

  test("or named in mcp_servers, whatever was refused", async () => {
    const files = { ...committed, "home/.claude/settings.json": { disabledMcpjsonServers: ["one"] } };

    const { servers, left_out } = await select(files, { mcp_servers: { one: true } });

    expect(servers).toEqual({ one: server("one") });
    expect(left_out).toEqual(["two"]);
  });
});

test("of servers with one name, the nearest definition is taken", async () => {
  const files = {
    "home/.claude.json": {
      mcpServers: { a: server("user"), b: server("user"), c: server("user"), d: server("user") },
      projects: { "<root>/project": { mcpServers: { c: server("local"), d: server("local") } } },
    },
    "home/.claude/settings.json": { enableAllProjectMcpServers: true },
    "project/.mcp.json": { mcpServers: { b: server("project"), c: server("project") } },
  };

  const { servers } = await select(files, { mcp_servers: { d: server("task") } });

  expect(servers).toEqual({ a: server("user"), b: server("project"), c: server("local"), d: server("task") });
});

test("a working directory's own servers come before the project's", async () => {
  const files = {
    "home/.claude/settings.json": { enableAllProjectMcpServers: true },
    "project/.mcp.json": { mcpServers: { a: server("project"), b: server("project") } },
    "project/deep/down/.mcp.json": { mcpServers: { b: server("deep") } },
  };

  const { servers } = await select(files, { working_directory: "project/deep/down" });

  expect(servers).toEqual({ a: server("project"), b: server("deep") });
});

test("without any file there is no server", async () => {
  expect(await select({})).toEqual({ servers: {}, left_out: [] });
});

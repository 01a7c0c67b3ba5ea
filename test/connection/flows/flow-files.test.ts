import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFlow, listFlows, readFlowDirectory } from "../../../src/connection/flows/flow-files.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function project(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await temporaryDirectory();
  const directories = new Set(Object.keys(files).map((name) => dirname(join(directory, name))));
  await Promise.all([...directories].map((path) => mkdir(path, { recursive: true })));
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(directory, name), content)));
  return directory;
}

describe("reading a flow's directory", () => {
  test("gives every text file by its path with forward slashes, without a byte order mark", async () => {
    const directory = await project({
      "agent.json": '\uFEFF{"name": "a"}',
      "prompts/steps/初期/task/f_default.md": "# こんにちは",
      "handlers/done.mjs": "export default 1;",
    });

    expect([...(await readFlowDirectory(directory))]).toEqual([
      ["agent.json", '{"name": "a"}'],
      ["handlers/done.mjs", "export default 1;"],
      ["prompts/steps/初期/task/f_default.md", "# こんにちは"],
    ]);
  });

  test("skips files that are binary, hidden, installed, or huge and not part of a definition", async () => {
    const directory = await project({
      "agent.json": "{}",
      "logo.png": new Uint8Array([137, 80, 78, 71, 0, 1]),
      ".git/config": "x",
      "node_modules/a/package.json": "{}",
      "old.log": "x".repeat(3_000_000),
    });

    expect([...(await readFlowDirectory(directory)).keys()]).toEqual(["agent.json"]);
  });

  test("refuses a definition's file that is far too large", async () => {
    const directory = await project({ "schemas/a.json": " ".repeat(3_000_000) });

    await expect(readFlowDirectory(directory)).rejects.toMatchObject({
      code: "file_too_large",
      details: { path: join(directory, "schemas/a.json") },
    });
  });

  test("refuses a directory with too many files for a flow", async () => {
    const names = Array.from({ length: 2001 }, (_, index) => [`${index % 10}/${index}.txt`, ""]);
    const directory = await project(Object.fromEntries(names));

    await expect(readFlowDirectory(directory)).rejects.toMatchObject({ code: "file_too_large" });
  });

  test("follows links that stay inside, but not links that lead out or back", async () => {
    const directory = await project({ "a/shared/x.md": "X", "secret/key.md": "SECRET", "a-secret/key.md": "SECRET" });
    await symlink("shared", join(directory, "a/alias"));
    await symlink("x.md", join(directory, "a/shared/y.md"));
    await symlink("..", join(directory, "a/shared/back"));
    await symlink(".", join(directory, "a/self"));
    await symlink("../secret", join(directory, "a/out"));
    await symlink("../a-secret/key.md", join(directory, "a/beside.md"));
    await symlink("nowhere", join(directory, "a/broken.md"));

    const files = await readFlowDirectory(join(directory, "a"));

    expect([...files.keys()]).toEqual(["alias/x.md", "alias/y.md", "shared/x.md", "shared/y.md"]);
  });

  test("works when the directory itself is a link", async () => {
    const directory = await project({ "real/agent.json": "{}" });
    await symlink("real", join(directory, "linked"));

    expect([...(await readFlowDirectory(join(directory, "linked"))).keys()]).toEqual(["agent.json"]);
  });

  test("names a directory that does not exist", async () => {
    const directory = await temporaryDirectory();

    await expect(readFlowDirectory(join(directory, "gone"))).rejects.toMatchObject({ code: "file_not_found" });
  });
});

describe("listing a project's flows", () => {
  test("gives the directories of .agent that have an agent.json, in order", async () => {
    const directory = await project({
      ".agent/writer/agent.json": "{}",
      ".agent/reviewer/agent.json": "{}",
      ".agent/config.json": "{}",
      ".agent/common/notes.md": "",
    });

    expect(await listFlows(directory)).toEqual(["reviewer", "writer"]);
  });

  test("gives none without .agent", async () => {
    expect(await listFlows(await temporaryDirectory())).toEqual([]);
  });
});

describe("finding a flow", () => {
  const files = { ".agent/writer/agent.json": "{}", ".agent/empty/notes.md": "", "elsewhere/own/agent.json": "{}" };

  test.each([
    ["writer", ".agent/writer"],
    ["empty", ".agent/empty"],
    [".agent/writer", ".agent/writer"],
    ["./.agent/writer/", ".agent/writer"],
    ["elsewhere/own", "elsewhere/own"],
    ["elsewhere/own/agent.json", "elsewhere/own"],
  ])("%s is %s", async (given, found) => {
    const directory = await project(files);

    expect(await findFlow(directory, given)).toBe(join(directory, found));
  });

  test("an absolute path is itself", async () => {
    const directory = await project(files);

    expect(await findFlow("/", join(directory, "elsewhere/own"))).toBe(join(directory, "elsewhere/own"));
  });

  test.each(["wirter", "..", "", "elsewhere", "/", "../writer"])(
    "%j is not found, and those that there are, are named",
    async (given) => {
      const directory = await project(files);

      await expect(findFlow(directory, given)).rejects.toMatchObject({
        code: "agent_not_found",
        details: { name: given, directory: join(directory, ".agent"), known: "writer" },
      });
    },
  );
});

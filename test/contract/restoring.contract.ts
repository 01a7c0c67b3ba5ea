import { lstat, mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { kept, open, ownRooms, textAt } from "../support/kept-work.ts";
import { git, write } from "../support/repository.ts";
import type { MakeProject } from "./workspace.contract.ts";

/** What every workspace keeps to that makes its files those of a snapshot: nothing is lost that its snapshots do not hold. */
export function testRestoring(make: MakeProject): void {
  beforeEach(ownRooms);

  /** A snapshot of these files, after which the work removes one of them, and something else takes its place. */
  async function replaced(files: Record<string, string>, gone: string, happen: (project: string) => Promise<unknown>) {
    const project = await make({ "a.txt": "1\n", ...files });
    const workspace = await open(project);
    const start = await kept(workspace, "start");
    await rm(join(project, gone), { recursive: true });
    await write(project, { "a.txt": "2\n" });
    await kept(workspace, "1");
    await happen(project);
    return { project, start, workspace };
  }

  const refusal = (files: string, count = 1) => ({ problem: { code: "restore_would_lose", params: { count, files } } });

  describe("a restore is refused and no file is touched", () => {
    test("where a file would be written over that git has come to ignore", async () => {
      const { project, workspace, start } = await replaced({ "local.json": "{}\n" }, "local.json", (project) =>
        write(project, { ".gitignore": "*.json\n", "local.json": "precious\n" }),
      );

      expect(await workspace.restore(start)).toMatchObject(refusal("local.json"));

      expect(await textAt(project, "local.json")).toBe("precious\n");
      expect(await textAt(project, "a.txt")).toBe("2\n");
    });

    test("where a file would replace a directory with ignored files in it", async () => {
      const { project, workspace, start } = await replaced({ conf: "x\n" }, "conf", (project) =>
        write(project, { "conf/.env": "KEY=1\n", "conf/node_modules/日本.js": "x\n", "conf/kept.txt": "x\n" }),
      );

      const files = /^conf\/(\.env, conf\/node_modules\/日本\.js|node_modules\/日本\.js, conf\/\.env)$/;
      expect(await workspace.restore(start)).toMatchObject(refusal(expect.stringMatching(files), 2));

      expect(await textAt(project, "conf/.env")).toBe("KEY=1\n");
      expect(await textAt(project, "conf/kept.txt")).toBe("x\n");
    });

    test("where a directory would replace an ignored file, or an ignored link", async () => {
      for (const make of [
        (path: string) => writeFile(path, "precious\n"),
        (path: string) => symlink("/nowhere", path),
      ]) {
        const { project, workspace, start } = await replaced({ "data/in/x.txt": "x\n" }, "data", async (project) => {
          await write(project, { ".gitignore": "data\n" });
          await make(join(project, "data"));
        });

        expect(await workspace.restore(start)).toMatchObject(refusal("data"));

        expect((await lstat(join(project, "data"))).isDirectory()).toBe(false);
      }
    });

    test("where a file would replace a directory with a repository in it", async () => {
      const { project, workspace, start } = await replaced({ tool: "x\n" }, "tool", async (project) => {
        await mkdir(join(project, "tool"));
        await git(join(project, "tool"), "init", "-q");
        await write(project, { "tool/x.txt": "x\n" });
      });

      expect(await workspace.restore(start)).toMatchObject(refusal("tool/.git"));

      expect(await textAt(project, "tool/.git/HEAD")).toContain("refs/heads");
    });

    test("where a file would be written over that is too large to be kept", async () => {
      const { project, workspace, start } = await replaced({ "model.bin": "x\n" }, "model.bin", async (project) => {
        await write(project, { "model.bin": "" });
        await truncate(join(project, "model.bin"), 513 * 1024 * 1024);
      });

      expect(await workspace.restore(start)).toMatchObject(refusal("model.bin"));

      expect((await lstat(join(project, "model.bin"))).size).toBe(513 * 1024 * 1024);
    });
  });

  test("an ignored file that has the content to come is not in the way, nor are ignored files elsewhere", async () => {
    const { project, workspace, start } = await replaced({ "src/local.json": "{}\n" }, "src", (project) =>
      write(project, { ".gitignore": "*.json\n", "src/local.json": "{}\n", "src/other.json": "mine\n" }),
    );

    expect(await workspace.restore(start)).toMatchObject({ commit: expect.any(String) });

    expect(await textAt(project, "a.txt")).toBe("1\n");
    expect(await textAt(project, "src/local.json")).toBe("{}\n");
    expect(await textAt(project, "src/other.json")).toBe("mine\n");
  });

  test("what the snapshot from before holds may be replaced, and comes back from there", async () => {
    const { project, workspace, start } = await replaced(
      { conf: "x\n", "data/x.txt": "x\n" },
      "conf",
      async (project) => {
        await rm(join(project, "data"), { recursive: true });
        await write(project, { "conf/in/a.txt": "mine\n", data: "mine\n" });
      },
    );

    const done = await workspace.restore(start);

    expect(await Promise.all(["conf", "data/x.txt"].map((name) => textAt(project, name)))).toEqual(["x\n", "x\n"]);
    if (!("commit" in done)) throw new Error(JSON.stringify(done.problem));
    expect(await workspace.restore(done.commit)).toMatchObject({ commit: expect.any(String) });
    expect(await Promise.all(["conf/in/a.txt", "data"].map((name) => textAt(project, name)))).toEqual([
      "mine\n",
      "mine\n",
    ]);
  });
}

import { chmod, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Place, Workspace } from "../../src/connection/ports/workspace.ts";
import type { RoomSettings } from "../../src/connection/workspace/room.ts";
import { createWorkspace } from "../../src/connection/workspace/workspace.ts";
import { write } from "../support/repository.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Makes a project with these files, and ignores `build/`, `node_modules/` and `.env`. */
export type MakeProject = (files: Record<string, string>) => Promise<string>;

/** What every workspace keeps to that can keep snapshots. */
export function testSnapshots(make: MakeProject): void {
  beforeEach(async () => {
    vi.stubEnv("XDG_CACHE_HOME", await temporaryDirectory());
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  test("a snapshot keeps the files, and a diff shows what changed between two", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n", "src/日本 語.md": "x\n", "gone.txt": "1\n" });
    const first = await kept(workspace, "start");
    await write(project, { "a.txt": "2\n", "new file.txt": "n\n" });
    await rm(join(project, "gone.txt"));
    const second = await kept(workspace, "1");

    expect(await workspace.changes(first, second)).toEqual([
      { path: "a.txt", status: "modified", added: 1, removed: 1 },
      { path: "gone.txt", status: "deleted", added: 0, removed: 1 },
      { path: "new file.txt", status: "added", added: 1, removed: 0 },
    ]);
    expect(await workspace.diff(first, second, ["a.txt"])).toMatch(
      /--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ .*\n-1\n\+2\n$/,
    );
    expect(await workspace.textsAt(first, ["a.txt", "none.txt"])).toEqual(new Map([["a.txt", "1\n"]]));
    expect(await workspace.paths(first)).toContain("src/日本 語.md");
  });

  test("a snapshot says which of its files have a word", async () => {
    const { workspace } = await opened({
      "test/a.js": 'read("cases.json")\n',
      "src/b.js": "read()\n",
      "docs/日本.md": "cases.json\n",
    });
    const commit = await kept(workspace, "start");

    const found = await workspace.mentions(commit, ["cases.json", "none.json"]);
    expect(found.get("cases.json")?.toSorted()).toEqual(["docs/日本.md", "test/a.js"]);
    expect(found.get("none.json")).toEqual([]);
  });

  test("links to what was written outside since are named, others are not", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const outside = await temporaryDirectory();
    const first = await kept(workspace, "start");
    await write(outside, { "good.txt": "1\n" });
    await symlink(join(outside, "good.txt"), join(project, "out.txt"));
    await symlink("a.txt", join(project, "in.txt"));
    await symlink("/usr/bin/env", join(project, "old"));
    await symlink("/nowhere", join(project, "dangling"));

    expect(await workspace.linksOut(first, await kept(workspace, "1"))).toEqual(["out.txt"]);
  });

  test("two snapshots are the same while no file differs, also for another process", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const first = await kept(workspace, "1");
    const other = createWorkspace(project, { project, kept: { folder: await temporaryDirectory(), task: "other" } });
    expect(await workspace.isSame(first, await kept(other, "2"))).toBe(true);

    await write(project, { "a.txt": "2\n" });
    expect(await workspace.isSame(first, await kept(other, "3"))).toBe(false);
    expect(await workspace.isSame(first, "0".repeat(40))).toBe(false);
  });

  test("ignored files that were written since a moment are named", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const moment = new Date(Date.now() - 1000);
    await write(project, { "build/out.js": "1\n" });

    expect(await workspace.ignoredWritten(moment)).toEqual(["build/out.js"]);
    expect(await workspace.ignoredWritten(new Date(Date.now() + 60_000))).toEqual([]);
  });

  test("totals say how much each snapshot differs from the one before, and which cannot be compared", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const first = await kept(workspace, "start");
    await write(project, { "a.txt": "2\n3\n", "日本 語.md": "x\n" });
    const second = await kept(workspace, "1");
    const gone = "0".repeat(39).concat("1");

    expect(await workspace.totals([first, second, second, gone, first])).toEqual([
      { files: 2, added: 3, removed: 1 },
      { files: 0, added: 0, removed: 0 },
      null,
      null,
    ]);
    expect(await workspace.totals([first])).toEqual([]);
  });

  test("a snapshot of unchanged files is the same commit", async () => {
    const { workspace } = await opened({ "a.txt": "1\n" });
    expect(await kept(workspace, "1")).toBe(await kept(workspace, "2"));
  });

  test("restoring puts the files back and keeps those that were there", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const first = await kept(workspace, "start");
    await write(project, { "a.txt": "2\n", "new.txt": "n\n", ".env": "KEY=1" });

    const before = await workspace.restore(first);

    expect(await readFile(join(project, "a.txt"), "utf8")).toBe("1\n");
    await expect(stat(join(project, "new.txt"))).rejects.toThrow();
    expect(await readFile(join(project, ".env"), "utf8")).toBe("KEY=1");
    if (!("commit" in before)) throw new Error("nothing was kept");
    expect((await workspace.textsAt(before.commit, ["new.txt"])).get("new.txt")).toBe("n\n");
  });

  test("a clean checkout has the files of the snapshot, their modes and links, and nothing made since", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n", "run.sh": "#!/bin/sh\n" });
    await chmod(join(project, "run.sh"), 0o755);
    await symlink("a.txt", join(project, "link"));
    await workspace.keepIgnored();
    const commit = await kept(workspace, "1");
    await write(project, { "a.txt": "later\n", "build/out.js": "stamp", "node_modules/x/index.js": "" });

    const place = await room(workspace, commit);

    expect(await readFile(join(place.directory, "a.txt"), "utf8")).toBe("1\n");
    expect(await readlink(join(place.directory, "link"))).toBe("a.txt");
    expect((await stat(join(place.directory, "run.sh"))).mode & 0o100).toBe(0o100);
    for (const name of ["build/out.js", "node_modules/x/index.js", ".e8"])
      await expect(stat(join(place.directory, name))).rejects.toThrow();
    expect(place.stands_for).toBe(project);
    await place.release();
  });

  test("a clean checkout has no bytecode of Python's, which may be that of another source", async () => {
    const { workspace } = await opened({ "a.py": "a = 1\n", "__pycache__/a.cpython-311.pyc": "b" });

    const place = await room(workspace, await kept(workspace, "1"));

    expect(await readFile(join(place.directory, "a.py"), "utf8")).toBe("a = 1\n");
    await expect(stat(join(place.directory, "__pycache__/a.cpython-311.pyc"))).rejects.toThrow();
    await place.release();
  });

  test("a clean checkout has what git ignores as it was at the start", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    await write(project, { ".env": "KEY=1", "node_modules/p/index.js": "old", "node_modules/q/index.js": "same" });
    await workspace.keepIgnored();
    expect((await workspace.ignoredAtStart()).toSorted()).toEqual([
      ".env",
      "node_modules/p/index.js",
      "node_modules/q/index.js",
    ]);
    await write(project, { ".env": "KEY=2", "node_modules/p/index.js": "new", "build/x": "made" });

    const place = await room(workspace, await kept(workspace, "1"));

    expect(await readFile(join(place.directory, ".env"), "utf8")).toBe("KEY=1");
    expect(await readFile(join(place.directory, "node_modules/p/index.js"), "utf8")).toBe("old");
    expect(await readFile(join(place.directory, "node_modules/q/index.js"), "utf8")).toBe("same");
    const changes = await workspace.ignoredChanges();
    expect(changes).toEqual([
      { path: ".env", status: "modified" },
      { path: "build/x", status: "added" },
      { path: "node_modules/p/index.js", status: "modified" },
    ]);
    await place.release();
  });

  test("a link that has taken the place of an ignored directory leads no file out of the room", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    const outside = await temporaryDirectory();
    await write(outside, { "index.js": "the user's" });
    await write(project, { "node_modules/index.js": "of the start" });
    await workspace.keepIgnored();
    await rm(join(project, "node_modules"), { recursive: true });
    await symlink(outside, join(project, "node_modules"));

    const place = await room(workspace, await kept(workspace, "1"));

    expect(await readFile(join(outside, "index.js"), "utf8")).toBe("the user's");
    await place.release();
  });

  test("the next checkout moves to its commit and has no leftovers of the last", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n", "b.txt": "1\n" });
    const first = await room(workspace, await kept(workspace, "1"));
    await writeFile(join(first.directory, "left over"), "x");
    await writeFile(join(first.directory, "b.txt"), "spoiled");
    await first.release();
    await write(project, { "a.txt": "2\n" });

    const second = await room(workspace, await kept(workspace, "2"));

    expect(second.directory).toBe(first.directory);
    expect(await readFile(join(second.directory, "a.txt"), "utf8")).toBe("2\n");
    expect(await readFile(join(second.directory, "b.txt"), "utf8")).toBe("1\n");
    await expect(stat(join(second.directory, "left over"))).rejects.toThrow();
    await second.release();
  });

  test("copies of ignored files stay in the room; a check that writes to one changes neither the user's file nor the next proof", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    await write(project, { "node_modules/p/index.js": "mine", "node_modules/q/index.js": "mine" });
    await workspace.keepIgnored();
    const first = await room(workspace, await kept(workspace, "1"));
    const { ino } = await stat(join(first.directory, "node_modules/q/index.js"));
    await writeFile(join(first.directory, "node_modules/p/index.js"), "spoiled");
    await writeFile(join(first.directory, "node_modules/p/extra.js"), "left");
    await first.release();
    expect(await readFile(join(project, "node_modules/p/index.js"), "utf8")).toBe("mine");

    const second = await room(workspace, await kept(workspace, "2"));

    expect(await readFile(join(second.directory, "node_modules/p/index.js"), "utf8")).toBe("mine");
    await expect(stat(join(second.directory, "node_modules/p/extra.js"))).rejects.toThrow();
    expect((await stat(join(second.directory, "node_modules/q/index.js"))).ino).toBe(ino);
    await second.release();
  });

  test("without setup, keep says which ignored files the room has", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" }, { setup: [], keep: [".env"] });
    await write(project, { ".env": "KEY=1", "node_modules/p/index.js": "" });
    await workspace.keepIgnored();
    const place = await room(workspace, await kept(workspace, "1"));
    expect(place.needs_setup).toBe(false);
    expect(await readFile(join(place.directory, ".env"), "utf8")).toBe("KEY=1");
    await expect(stat(join(place.directory, "node_modules"))).rejects.toThrow();
    await place.release();
  });

  test("a room whose setup did not get to its end is made anew", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" }, { setup: ["install"], keep: ["node_modules"] });
    await write(project, { "node_modules/p/index.js": "the workspace's" });
    await workspace.keepIgnored();
    const commit = await kept(workspace, "1");
    const first = await room(workspace, commit);
    expect(first.needs_setup).toBe(true);
    await expect(stat(join(first.directory, "node_modules"))).rejects.toThrow();
    await write(first.directory, { "node_modules/half.js": "" });
    await first.release();

    const second = await room(workspace, commit);
    expect(second.needs_setup).toBe(true);
    await expect(stat(join(second.directory, "node_modules"))).rejects.toThrow();
    await write(second.directory, { "node_modules/whole.js": "" });
    await second.prepared();
    await second.release();

    const third = await room(workspace, commit);
    expect(third.needs_setup).toBe(false);
    expect(await readFile(join(third.directory, "node_modules/whole.js"), "utf8")).toBe("");
    await third.release();
  });

  test("files made since can be added to a room, and are gone from the next", async () => {
    const { project, workspace } = await opened({ "a.txt": "1\n" });
    await workspace.keepIgnored();
    await write(project, { "build/out.js": "built" });
    const commit = await kept(workspace, "1");
    const first = await room(workspace, commit);
    await first.add(["build/out.js"]);
    expect(await readFile(join(first.directory, "build/out.js"), "utf8")).toBe("built");
    await first.release();
    const second = await room(workspace, commit);
    await expect(stat(join(second.directory, "build"))).rejects.toThrow();
    await second.release();
  });

  async function opened(
    files: Record<string, string>,
    settings?: RoomSettings,
  ): Promise<{ project: string; workspace: Workspace }> {
    const project = await make(files);
    const kept = { folder: await temporaryDirectory(), task: "t", ...(settings && { settings }) };
    return { project, workspace: createWorkspace(project, { kept }) };
  }
}

async function kept(workspace: Workspace, label: string): Promise<string> {
  const found = await workspace.snapshot(label);
  if (!("commit" in found)) throw new Error(found.problem.code);
  return found.commit;
}

async function room(workspace: Workspace, commit: string): Promise<Place> {
  const place = await workspace.checkout(commit, {});
  if ("problem" in place) throw new Error(JSON.stringify(place.problem));
  return place;
}

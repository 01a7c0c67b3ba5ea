import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Workspace } from "../../../src/connection/ports/workspace.ts";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

type Happening = (project: string) => Promise<unknown>;

/** What each of several watches sees of what happens in it. */
async function seen(
  workspace: Workspace,
  project: string,
  happenings: readonly Happening[],
  named: readonly string[] = [],
): Promise<string[][]> {
  const all: string[][] = [];
  for (const happen of happenings) {
    const changedSince = await workspace.watch();
    await happen(project);
    all.push(await changedSince(named));
  }
  return all;
}

async function project(files: Record<string, string> = { "a.txt": "a" }): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

const put =
  (text: string, name = "a.txt"): Happening =>
  (directory) =>
    writeFile(join(directory, name), text);

describe("a file that is written again", () => {
  test("with the same content has changed only the first time: its content before that is unknown", async () => {
    const directory = await project();
    expect(await seen(createWorkspace(directory), directory, [put("a"), put("a"), put("a")])).toEqual([
      ["a.txt"],
      [],
      [],
    ]);
  });

  test("with another content of the same length has changed, each time", async () => {
    const directory = await project();
    expect(await seen(createWorkspace(directory), directory, [put("b"), put("c"), put("b"), put("b")])).toEqual([
      ["a.txt"],
      ["a.txt"],
      ["a.txt"],
      [],
    ]);
  });

  test("is compared with its content when the watch began, also if it was changed between two watches", async () => {
    const directory = await project();
    const workspace = createWorkspace(directory);
    await seen(workspace, directory, [put("b")]);
    await put("c")(directory);
    expect(await seen(workspace, directory, [put("c"), put("b")])).toEqual([[], ["a.txt"]]);
  });

  test("in the watch that saw it first is the same change when asked again", async () => {
    const directory = await project();
    const changedSince = await createWorkspace(directory).watch();
    await put("b")(directory);
    expect([await changedSince(), await changedSince()]).toEqual([["a.txt"], ["a.txt"]]);
  });

  test("has changed when only its mode did", async () => {
    const directory = await project();
    const executable: Happening = () => chmod(join(directory, "a.txt"), 0o755);
    expect(await seen(createWorkspace(directory), directory, [put("b"), executable, put("b")])).toEqual([
      ["a.txt"],
      ["a.txt"],
      [],
    ]);
  });

  test("has changed when it was deleted or came back", async () => {
    const directory = await project();
    const remove: Happening = () => rm(join(directory, "a.txt"));
    expect(await seen(createWorkspace(directory), directory, [put("b"), remove, put("b")])).toEqual([
      ["a.txt"],
      ["a.txt"],
      ["a.txt"],
    ]);
  });

  test("has changed as long as it is too large to be read", async () => {
    const directory = await project();
    const workspace = createWorkspace(directory, { reading: { bytes: 4, files: 100 } });
    expect(await seen(workspace, directory, [put("large"), put("large"), put("tiny"), put("tiny")])).toEqual([
      ["a.txt"],
      ["a.txt"],
      ["a.txt"],
      [],
    ]);
  });

  test("has changed when more files are written at once than are read", async () => {
    const directory = await project();
    const workspace = createWorkspace(directory, { reading: { bytes: 100, files: 1 } });
    const both: Happening = async () => {
      await put("a")(directory);
      await put("b", "b.txt")(directory);
    };
    expect(await seen(workspace, directory, [both, both])).toEqual([["a.txt", "b.txt"], ["b.txt"]]);
  });

  test("has changed when it cannot be read", async () => {
    const directory = await project();
    // As with a file without permissions, which a superuser could read: there is no way through a loop of links.
    await symlink("loop", join(directory, "loop"));
    const watched = await seen(createWorkspace(directory), directory, [put(""), put("")], ["loop/a.txt"]);
    expect(watched.map((paths) => paths.includes("loop/a.txt"))).toEqual([true, true]);
  });
});

test("a link that is made again has changed when it leads elsewhere", async () => {
  const directory = await project();
  const link =
    (target: string): Happening =>
    async () => {
      await rm(join(directory, "link"), { force: true });
      await symlink(target, join(directory, "link"));
    };
  expect(await seen(createWorkspace(directory), directory, [link("x"), link("x"), link("y")])).toEqual([
    ["link"],
    [],
    ["link"],
  ]);
});

describe("files that the worker says it wrote", () => {
  test("are listed where they would not be seen, until they are written with the same content", async () => {
    const directory = await project();
    await mkdir(join(directory, "node_modules"));
    const name = "node_modules/x.txt";
    const steps = [put("1", name), put("1", name), put("2", name)];
    expect(await seen(createWorkspace(directory), directory, steps, [name])).toEqual([[name], [], [name]]);
  });

  test("are the same files as those that are seen, also in a working directory", async () => {
    const directory = await project({});
    await mkdir(join(directory, "sub"));
    const workspace = createWorkspace(join(directory, "sub"), { project: directory });
    const steps = [put("1", "sub/x.txt"), put("1", "sub/x.txt")];
    expect(await seen(workspace, directory, steps, ["sub/x.txt"])).toEqual([["sub/x.txt"], []]);
  });

  test("outside the project are named by their absolute path", async () => {
    const [directory, outside] = [await project(), await project({})];
    const path = join(outside, "x.txt");
    const steps: Happening[] = [() => writeFile(path, "1"), () => writeFile(path, "1")];
    expect(await seen(createWorkspace(directory), directory, steps, [path])).toEqual([[path], []]);
  });
});

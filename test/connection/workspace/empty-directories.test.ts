import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Place } from "../../../src/connection/ports/workspace.ts";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import { kept, made, ownRooms } from "../../support/kept-work.ts";
import { write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

beforeEach(ownRooms);

const PLAIN = { setup: [], keep: [] as string[] };

async function opened(names: readonly string[], settings = PLAIN) {
  const project = await made({ ".gitignore": "node_modules/\nbuild/*\n", "src/b.txt": "1\n" });
  for (const name of names) await mkdir(join(project, name), { recursive: true });
  const workspace = createWorkspace(project, { kept: { folder: await temporaryDirectory(), task: "t", settings } });
  await workspace.keepIgnored();
  const room = async (label: string): Promise<Place> => {
    const place = await workspace.checkout(await kept(workspace, label), {});
    if ("problem" in place) throw new Error(JSON.stringify(place.problem));
    return place;
  };
  return { project, workspace, room };
}

test("a clean checkout has the empty directories of the start, each time, and none made since", async () => {
  const names = ["build", "node_modules/p/cache", "src/out", "deep/er"];
  const { project, workspace, room } = await opened(names);
  await mkdir(join(project, "later"));
  await write(project, { "build/log.txt": "made" });

  for (const label of ["1", "2"]) {
    const place = await room(label);
    for (const name of names) expect(await readdir(join(place.directory, name))).toEqual([]);
    await expect(stat(join(place.directory, "later"))).rejects.toThrow();
    await write(place.directory, { "build/log.txt": "made by the check" });
    await place.release();
  }

  expect((await workspace.ignoredChanges()).map(({ path }) => path)).toEqual(["build/log.txt"]);
});

test("a file or a link that the work has put in the place of one stays what it is", async () => {
  const { project, room } = await opened(["taken", "link/in"]);
  const outside = await temporaryDirectory();
  for (const name of ["taken", "link"]) await rm(join(project, name), { recursive: true });
  await writeFile(join(project, "taken"), "a file now");
  await symlink(outside, join(project, "link"));

  const place = await room("1");

  expect(await readFile(join(place.directory, "taken"), "utf8")).toBe("a file now");
  expect(await readdir(outside)).toEqual([]);
  await place.release();
});

test("keep also says which ignored ones it has", async () => {
  const { room } = await opened(["build/kept", "node_modules/p/cache", "src/out"], { setup: [], keep: ["build"] });

  const place = await room("1");

  expect(await readdir(join(place.directory, "build"))).toEqual(["kept"]);
  expect(await readdir(join(place.directory, "src"))).toEqual(["b.txt", "out"]);
  await expect(stat(join(place.directory, "node_modules"))).rejects.toThrow();
  await place.release();
});

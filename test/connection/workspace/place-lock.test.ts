import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Occupant, occupy } from "../../../src/connection/workspace/place-lock.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const ID = "2026-01-23T10-00-00";
const OTHER = "2026-01-23T11-00-00";

function run(directory: string, more: Partial<Occupant> = {}): Promise<() => Promise<void>> {
  return occupy({ id: ID, project: directory, directory, samePlace: false, ...more });
}

test("one run at a time works in a directory; the next is told which task is there", async () => {
  const directory = await temporaryDirectory();
  const leave = await run(directory);

  await expect(run(directory, { id: OTHER })).rejects.toMatchObject({
    code: "place_taken",
    details: { directory, id: ID, who: { params: { pid: process.pid } }, since: expect.any(String) },
  });
  await leave();

  await (await run(directory, { id: OTHER }))();
});

test("of many that start at the same instant, one wins", async () => {
  const directory = await temporaryDirectory();
  const starts = await Promise.allSettled(Array.from({ length: 20 }, () => run(directory)));
  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a run beside another takes the directory when it is free, and holds it then", async () => {
  const directory = await temporaryDirectory();
  const leaveFirst = await run(directory);
  const leaveSecond = await run(directory, { samePlace: true });
  await leaveSecond();
  await expect(run(directory)).rejects.toMatchObject({ code: "place_taken" });
  await leaveFirst();

  const leave = await run(directory, { samePlace: true });
  await expect(run(directory)).rejects.toMatchObject({ code: "place_taken" });
  await leave();
});

test("another name of the directory is the same place, also for a task of another project", async () => {
  const directory = await temporaryDirectory();
  const project = await temporaryDirectory();
  const link = join(project, "link");
  await symlink(directory, link);
  const leave = await run(directory);

  await expect(run(link, { project, id: OTHER })).rejects.toMatchObject({
    code: "place_taken",
    details: { directory: link, id: ID, project: directory },
  });
  await leave();
});

test("a directory inside, and a copy with the lock in it, are other places", async () => {
  const directory = await temporaryDirectory();
  const copy = join(await temporaryDirectory(), "copy");
  await mkdir(join(directory, "packages"));
  const leave = await run(directory);
  await cp(directory, copy, { recursive: true });

  for (const other of [join(directory, "packages"), copy]) await (await run(other))();
  await leave();
});

test("what a killed run leaves behind keeps nobody out", async () => {
  const directory = await temporaryDirectory();
  await run(directory);
  const locks = join(directory, ".e8", "run");
  const [name = ""] = (await readdir(locks)).filter((one) => one.endsWith(".lock"));
  const holder = JSON.parse(await readFile(join(locks, name), "utf8"));
  await writeFile(join(locks, name), JSON.stringify({ ...holder, boot_id: "an earlier boot" }));

  await (await run(directory))();

  expect((await readdir(locks)).sort()).toEqual([".gitignore"]);
});

test("a lock that is torn keeps nobody out, either", async () => {
  const directory = await temporaryDirectory();
  await (await run(directory))();
  const { ino } = await stat(directory);
  await writeFile(join(directory, ".e8", "run", `${ino}.lock`), '{"host": "torn');
  await (await run(directory))();
});

test("a run on another machine is named with the file to delete when that machine is gone", async () => {
  const directory = await temporaryDirectory();
  await run(directory);
  const locks = join(directory, ".e8", "run");
  const [name = ""] = (await readdir(locks)).filter((one) => one.endsWith(".lock"));
  const holder = JSON.parse(await readFile(join(locks, name), "utf8"));
  await writeFile(join(locks, name), JSON.stringify({ ...holder, host: "another machine" }));

  await expect(run(directory)).rejects.toMatchObject({ details: { lock: join(locks, name) } });
});

test("a directory that is missing is for the run to report", async () => {
  const directory = await temporaryDirectory();
  await (await run(join(directory, "missing")))();
  expect(await readdir(directory)).toEqual([]);
});

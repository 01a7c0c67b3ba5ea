import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { acquireLock, isOnThisHost, type LockHolder, readLock } from "../../../../src/connection/stores/files/lock.ts";
import { ownIdentity } from "../../../../src/connection/stores/files/process-identity.ts";
import { type Program, startProgram } from "../../../support/program.ts";
import { inEnglish } from "../../../support/saying.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const execute = promisify(execFile);
const ID = "2026-01-23T13-30-00";

async function lockFile(): Promise<string> {
  return join(await temporaryDirectory(), "lock");
}

/** Leaves a lock as another process would have. */
async function leaveLock(path: string, more: Partial<LockHolder> = {}): Promise<LockHolder> {
  const since = "2026-01-23T10:00:00.000Z";
  const holder = { ...(await ownIdentity()), pid: 4_000_000, started: "1", token: "abc123", since, ...more };
  await writeFile(path, JSON.stringify(holder));
  return holder;
}

test("a second acquirer is refused with the holder's name, and gets the lock once it is given back", async () => {
  const path = await lockFile();
  const lock = await acquireLock(path, ID);
  const refusal = await acquireLock(path, ID).catch((error) => error);

  expect(refusal).toMatchObject({
    code: "task_locked",
    details: { id: ID, who: { params: { pid: process.pid, host: hostname() } } },
  });
  expect(Date.parse(refusal.details.since)).toBeGreaterThan(Date.now() - 60_000);
  expect(inEnglish(refusal).hint).toContain(`e8 cancel ${ID}`);
  await lock.release();
  await (await acquireLock(path, ID)).release();
});

test("a released lock leaves nothing behind", async () => {
  const path = await lockFile();
  await (await acquireLock(path, ID)).release();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("only a live process counts as the holder", async () => {
  const path = await lockFile();
  expect(await readLock(path)).toBeUndefined();
  const lock = await acquireLock(path, ID);
  const holder = await readLock(path);
  expect(holder).toMatchObject({ pid: process.pid, host: hostname() });
  expect(holder && isOnThisHost(holder)).toBe(true);
  await lock.release();
  expect(await readLock(path)).toBeUndefined();
  await leaveLock(path);
  expect(await readLock(path)).toBeUndefined();
});

test("another live process keeps its lock until it gives it back", async () => {
  const path = await lockFile();
  const holder = startProgram("hold-lock", path, ID);
  expect(await holder.next()).toEqual({ held: true, pid: holder.pid });
  await expect(acquireLock(path, ID)).rejects.toMatchObject({
    code: "task_locked",
    details: { who: { params: { pid: holder.pid } } },
  });

  holder.child.stdin.end();
  await new Promise((resolve) => holder.child.once("exit", resolve));
  await (await acquireLock(path, ID)).release();
});

test("of two processes that want the lock at once, exactly one gets it", async () => {
  const path = await lockFile();
  await leaveLock(path);
  const programs = [1, 2].map(() => startProgram("hold-lock", path, ID));
  const answers = await Promise.all(programs.map((program) => program.next()));

  expect(answers.filter((answer) => (answer as { held: boolean }).held)).toHaveLength(1);
  const winner = answers.find((answer) => (answer as { held: boolean }).held) as { pid: number };
  expect(answers).toContainEqual(
    expect.objectContaining({
      code: "task_locked",
      details: expect.objectContaining({
        who: expect.objectContaining({ params: expect.objectContaining({ pid: winner.pid }) }),
      }),
    }),
  );
});

test("the lock of a process ended by kill -9 is taken over at once", async () => {
  const path = await lockFile();
  const holder = startProgram("hold-lock", path, ID);
  await holder.next();
  await holder.kill("SIGKILL");

  const lock = await acquireLock(path, ID);
  expect(await readLock(path)).toMatchObject({ pid: process.pid });
  await lock.release();
});

test("a suspended process keeps its lock", async () => {
  const path = await lockFile();
  const holder = startProgram("hold-lock", path, ID);
  await holder.next();
  holder.child.kill("SIGSTOP");
  await expect(acquireLock(path, ID)).rejects.toMatchObject({
    code: "task_locked",
    details: { who: { params: { pid: holder.pid } } },
  });
});

test("a lock from an earlier boot is taken over even when its process number is in use again", async () => {
  const path = await lockFile();
  await leaveLock(path, { ...(await ownIdentity()), boot_id: "an earlier boot" });
  await (await acquireLock(path, ID)).release();
});

test("a lock whose process number now belongs to another process is taken over", async () => {
  const path = await lockFile();
  await leaveLock(path, { pid: process.pid, started: "1" });
  await (await acquireLock(path, ID)).release();
});

test("a holder on another host counts as alive, and the error says how to end that", async () => {
  const path = await lockFile();
  const holder = await leaveLock(path, { host: "another-host" });
  const refusal = await acquireLock(path, ID).catch((error) => error);

  expect(refusal).toMatchObject({
    code: "task_locked",
    details: { who: { params: { pid: 4_000_000, host: "another-host" } } },
  });
  expect(inEnglish(refusal).hint).toContain(path);
  expect(await readLock(path)).toEqual(holder);
  expect(isOnThisHost(holder)).toBe(false);
});

test("a damaged lock file does not block", async () => {
  const path = await lockFile();
  for (const text of ["", "{", "\0\0\0\0", '{"pid":1}', '{"token":"../../../x"}']) {
    await writeFile(path, text);
    await (await acquireLock(path, ID)).release();
  }
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test.each([
  { what: "a link to nothing", make: "ln -s nowhere" },
  { what: "a pipe", make: "mkfifo" },
])("$what in the lock's place keeps nobody waiting", async ({ make }) => {
  const path = await lockFile();
  await execute("sh", ["-c", `${make} "$1"`, "sh", path]);

  expect(await readLock(path)).toBeUndefined();
  const lock = await acquireLock(path, ID);
  expect(await readLock(path)).toMatchObject({ pid: process.pid });

  await execute("sh", ["-c", `rm "$1"; ${make} "$1"`, "sh", path]);
  expect(await lock.keep()).toBe(true);
  await lock.release();
  expect(await readLock(path)).toBeUndefined();
});

test("release leaves a lock alone that belongs to somebody else by now", async () => {
  const path = await lockFile();
  const lock = await acquireLock(path, ID);
  const other = await leaveLock(path, { host: "another-host" });
  await lock.release();
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(other);
});

test("files of processes that died while they took the lock do not block it and are removed", async () => {
  const path = await lockFile();
  const dead = await leaveLock(path);
  await leaveLock(`${path}.claim-${dead.token}`, { token: "def456" });
  await leaveLock(`${path}.claim-def456`, { token: "789aaa" });
  await leaveLock(`${path}.ticket-bbb`, { token: "bbb" });
  await writeFile(`${path}.ticket-eee`, ""); // killed before it had written who it is
  const live = { ...(await ownIdentity()), token: "ccc" };
  await leaveLock(`${path}.ticket-ccc`, live);

  const lock = await acquireLock(path, ID);
  expect((await readdir(join(path, ".."))).toSorted()).toEqual(["lock", "lock.ticket-ccc"]);
  expect(await readLock(path)).toMatchObject({ pid: process.pid });
  await lock.release();
});

test("a place where nothing can be written is a fault about that place", async () => {
  const path = join(await temporaryDirectory(), "missing", "lock");
  await expect(acquireLock(path, ID)).rejects.toMatchObject({ code: "write_failed", details: { path } });
  const directory = await lockFile();
  await mkdir(directory);
  await expect(readLock(directory)).rejects.toMatchObject({ code: "file_is_directory" });
});

test("processes that fight for the lock, some killed while they hold it, are never inside together", async () => {
  const path = await lockFile();
  const log = join(path, "..", "log");
  await writeFile(log, "");
  const fighter = () => startProgram("fight-for-lock", path, log);
  const survivors = [fighter(), fighter()];
  await Promise.all(survivors.map((program) => program.next()));
  for (let round = 0; round < 4; round += 1) await killInside(fighter(), log);
  const rounds = await Promise.all(survivors.map(roundsOf));

  expect(rounds.every((count) => count > 0)).toBe(true);
  expect(intruders(await entries(log))).toEqual([]);
});

interface Entry {
  what: string;
  pid: number;
}

async function entries(log: string): Promise<Entry[]> {
  const lines = (await readFile(log, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => ({ what: line.split(" ")[0] ?? "", pid: Number(line.split(" ")[1]) }));
}

async function killInside(program: Program, log: string): Promise<void> {
  await program.next();
  for (;;) {
    const last = (await entries(log)).at(-1);
    if (last?.pid === program.pid && last.what === "enter") break;
    await sleep(1);
  }
  await program.kill("SIGKILL");
}

async function roundsOf(program: Program): Promise<number> {
  program.child.stdin.end();
  return ((await program.next()) as { rounds: number }).rounds;
}

/** Whoever still wrote a line after another had entered in the meantime. */
function intruders(log: readonly Entry[]): Entry[] {
  return log.filter(({ what, pid }, index) => {
    const own = log.findLastIndex((entry, place) => place < index && entry.pid === pid);
    return what === "leave" && own !== index - 1;
  });
}

test.each([
  ["removed", async (path: string) => rm(path)],
  ["overwritten", async (path: string) => writeFile(path, "mine\n")],
  ["a directory", async (path: string) => rm(path).then(() => mkdir(join(path, "deep"), { recursive: true }))],
  ["left by a dead process", async (path: string) => void (await leaveLock(path))],
])("a lock that was %s under its holder is put back as it was, once", async (_, change) => {
  const path = await lockFile();
  const lock = await acquireLock(path, ID);
  const before = await readLock(path);
  expect(await lock.keep()).toBe(false);
  await change(path);

  expect((await Promise.all([lock.keep(), lock.keep()])).toSorted()).toEqual([false, true]);

  expect(await readLock(path)).toEqual(before);
  expect(await lock.keep()).toBe(false);
  await lock.release();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("a holder whose lock was taken over learns by whom, and leaves it alone", async () => {
  const path = await lockFile();
  const lock = await acquireLock(path, ID);
  await rm(path);
  const other = await acquireLock(path, ID);
  const taken = await readLock(path);

  await expect(lock.keep()).rejects.toMatchObject({
    code: "task_taken",
    details: { id: ID, who: { params: { pid: process.pid } } },
  });

  await lock.release();
  expect(await readLock(path)).toEqual(taken);
  await other.release();
});

test("a lock whose task is gone is not put back: there is nothing left to keep", async () => {
  const path = await lockFile();
  const lock = await acquireLock(path, ID);
  await rm(join(path, ".."), { recursive: true });
  expect(await lock.keep()).toBe(false);
});

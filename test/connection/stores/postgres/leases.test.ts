import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TaskStore } from "../../../../src/connection/ports/task-store.ts";
import { requireLikeClocks } from "../../../../src/connection/stores/postgres/lease.ts";
import { submit } from "../../../../src/connection/stores/postgres/submissions.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { madeStore, storeAt } from "../../../support/postgres-store.ts";
import { all, configuration, finalResult, summary } from "../../../support/stored.ts";

const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:05.000Z") };
const patiently = { timeout: 60_000, interval: 50 };

describeWithPostgres("leases in PostgreSQL", (postgres) => {
  test("a process that was frozen and replaced writes nothing more, and ends knowing why", async () => {
    const first = await madeStore(postgres().schema({ lease: "1", project: "frozen" }));
    const id = await first.store.create(request);
    const child = holdTask(first.url, first.directory, id);
    await vi.waitFor(() => expect(child.said.length).toBeGreaterThan(2), patiently);

    child.kill("SIGSTOP");
    const second = await storeAt(first.url);
    const task = await vi.waitFor(() => second.store.open(id), patiently);
    const before = (await second.store.past(id)).records.length;
    const linesBefore = await linesOf(second.store, id);
    await task.history.append(summary(1000));
    await task.rawLog(2, "executor", "of the second");
    child.kill("SIGCONT");
    await child.ended;
    await task.history.append(summary(1001));
    await task.release();

    expect(child.said.at(-1)).toEqual({ code: "task_taken" });
    const { records } = await first.store.past(id);
    expect(records.slice(before)).toEqual([summary(1000), summary(1001)]);
    expect(records.slice(0, before).every((one) => one.type === "summary" && one.reason === "of the first")).toBe(true);
    expect(records.map((one) => "iteration" in one && one.iteration)).toEqual([
      ...Array.from({ length: before }, (_, index) => index + 1),
      ...[1000, 1001],
    ]);
    expect(await linesOf(first.store, id)).toEqual([...linesBefore, "of the second"]);
  });

  test("a process that was frozen and replaced leaves its successor's place in line before a base alone", async () => {
    const first = await madeStore(postgres().schema({ lease: "1", project: "frozen" }));
    const id = await first.store.create(request);
    const child = holdTask(first.url, first.directory, id, "hold-lane");
    await vi.waitFor(() => expect(child.said).toEqual([{ holds: "main" }]), patiently);

    child.kill("SIGSTOP");
    const second = await storeAt(first.url.replace("lease=1", "lease=60"));
    const task = await vi.waitFor(() => second.store.open(id), patiently);
    const leave = await task.lane?.hold("main", new AbortController().signal);
    child.kill("SIGCONT");
    await child.ended;

    expect(child.said.at(-1)).toEqual({ code: "task_taken" });
    const standing = () => first.database.ask("select wants, holds_until > clock_timestamp() as holds from e8.lane");
    expect(await standing()).toEqual([{ wants: true, holds: true }]);
    leave?.();
    await vi.waitFor(async () => expect(await standing()).toEqual([{ wants: false, holds: null }]), patiently);
    await task.release();
  });

  test("a run that lives keeps its task for longer than a lease, and one that is replaced is told to stop", async () => {
    const { store, database } = await madeStore(postgres().schema({ lease: "1" }));
    const id = await store.create(request);
    const task = await store.open(id);
    await pause(2500);
    await expect(store.open(id)).rejects.toMatchObject({ code: "task_locked" });
    expect((await store.past(id)).status).toBe("running");

    await database.ask("update e8.task set fence = 'another' where task_id = $1", [id]);

    await vi.waitFor(() => expect(task.cancelled.aborted).toBe(true), patiently);
    expect(task.cancelled.reason).toMatchObject({ code: "task_taken" });
    await task.release();
    expect(await store.holder(id)).toBeDefined(); // of the other
  });

  test("two that take a task whose lease has lapsed do not both get it", async () => {
    const { store, database, url } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const dead = await store.open(id);
    await database.ask("update e8.task set lease_until = clock_timestamp() - interval '1 second'");
    const others = await Promise.all(Array.from({ length: 4 }, () => storeAt(url)));
    const tries = await Promise.allSettled(others.map((other) => other.store.open(id)));
    const taken = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await expect(dead.history.append(summary(1))).rejects.toMatchObject({ code: "task_taken" });
    await Promise.all([...taken, dead].map((task) => task.release()));
  });

  test("a worker that waited for a task gets none that has ended meanwhile, or was taken back", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const given = { task_id: id, labels: [], priority: "", rank: 1, submitted_at: "2026-01-23T13:30:06.000Z" };
    await submit(database, given);
    const first = await store.open(id, { isOfFleet: true });
    await expect(store.open(id, { isOfFleet: true })).rejects.toMatchObject({ code: "task_locked" });
    await first.history.append(finalResult(id));
    await first.release();
    await expect(store.open(id, { isOfFleet: true })).rejects.toMatchObject({ code: "task_not_in_line" });

    expect(await submit(database, given)).toBe(true);
    await (await store.open(id, { isOfFleet: true })).release();
    await store.cancel(id);
    await expect(store.open(id, { isOfFleet: true })).rejects.toMatchObject({ code: "task_not_in_line" });
    await (await store.open(id)).release();
  });

  test("a machine whose clock differs by more than a part of the lease does not begin", async () => {
    const { database } = await madeStore(postgres().schema({ lease: "60" }));
    await requireLikeClocks(database);
    await expect(requireLikeClocks(database, () => Date.now() + 20_000)).rejects.toMatchObject({
      code: "clocks_differ",
      details: { seconds: 20, limit: 15 },
    });
    await expect(requireLikeClocks(database, () => Date.now() - 20_000)).rejects.toMatchObject({
      code: "clocks_differ",
    });
  });
});

async function linesOf(store: TaskStore, id: string): Promise<string[]> {
  return (await all(store.rawLog(id, { follow: false, report: () => {} }))).map(({ line }) => line);
}

const PROGRAMS = new URL("../../../support/programs/", import.meta.url);
const REGISTER = new URL("../../../support/typescript-register.mjs", import.meta.url).href;

function holdTask(url: string, directory: string, id: string, program = "hold-task") {
  const words = ["--import", REGISTER, fileURLToPath(new URL(`${program}.ts`, PROGRAMS)), url, directory, "frozen", id];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: object[] = [];
  createInterface(child.stdout).on("line", (line) => said.push(JSON.parse(line)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { said, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import type { DashboardSession, TaskRow, TaskView } from "../../src/model/dashboard.ts";
import { programsDashboard, readEvents } from "../support/dashboard.ts";
import { fleetBox, type StartedWorker } from "../support/fleet-box.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import type { TestPostgres } from "../support/postgres-server.ts";
import { scriptedSandbox } from "../support/sandbox.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";

const patiently = { timeout: 60_000, interval: 100 };
const HELLO = `task: say hello
agent: {command: "echo working; touch hello"}
criteria: [{type: command, command: test -f hello}]
`;

describeWithPostgres("a fleet", (postgres) => {
  test("a task is given, taken by a worker, worked on and followed from elsewhere", async () => {
    const box = await fleetBox(postgres());
    await box.write("hello.yaml", HELLO);
    const id = await box.submit("hello.yaml");
    expect(await box.statuses()).toEqual({ [id]: "queued" });
    const again = await box.e8(["submit", "--resume", id]);
    expect(again.stderr).toContain("waits for a worker already");
    const standing = JSON.parse((await box.e8(["fleet", "status", "--json"])).stdout);
    expect(standing.projects).toMatchObject([{ queued: 1, running: 0, oldest: expect.any(String), cost_today: 0 }]);

    const worker = await box.worker("one");
    const watched = await box.e8(["watch", id, "--json-events"]);
    expect(watched.stdout).toContain('"status":"completed"');
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    expect(existsSync(join(worker.directory, "hello"))).toBe(true);

    worker.child.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
    const told = worker.events.map(({ type }) => type).filter((type) => type !== "run");
    expect(told).toEqual(["worker-start", "task-taken", "task-end", "draining", "worker-end"]);
  });

  test("a worker takes only what asks for no other labels than its own, the more urgent first", async () => {
    const box = await fleetBox(postgres());
    const agent = ["--check", "true", "--agent-command", "true", "--if-green", "work"];
    const plain = await box.submit("plain", ...agent);
    const gpu = await box.submit("gpu", "--label", "gpu", ...agent);
    const urgent = await box.submit("urgent", "--priority", "urgent", "--label", "linux", ...agent);
    const worker = await box.worker("one", "--label", "linux");
    await vi.waitFor(async () => expect((await box.statuses())[plain]).not.toBe("queued"), patiently);
    expect(takenBy(worker)).toEqual([urgent, plain]);
    expect((await box.statuses())[gpu]).toBe("queued");
    expect((await box.e8(["cancel", gpu])).code).toBe(0);
    expect((await box.statuses())[gpu]).toBe("cancelled");
    const helper = await box.worker("two", "--label", "gpu");
    await box.submit("--resume", gpu);
    await vi.waitFor(async () => expect((await box.statuses())[gpu]).toBe("completed"), patiently);
    await vi.waitFor(() => expect(ends(helper)).toEqual(["task-end"]), patiently);
  });

  test("a worker that is told to leave hands its task back after the iteration, and another goes on", async () => {
    const box = await fleetBox(postgres());
    const agent = 'echo x >> "$HOME/begun"; while [ ! -f "$HOME/go" ]; do sleep 0.1; done; echo x >> "$HOME/count"';
    const check = 'test "$(wc -l < "$HOME/count")" -ge 3';
    const id = await box.submit("count", "--check", check, "--agent-command", agent, "-n", "9");
    const first = await box.worker("one");
    await vi.waitFor(() => expect(existsSync(join(box.home, "begun"))).toBe(true), patiently);
    first.child.kill("SIGTERM");
    await vi.waitFor(() => expect(first.events.some(({ type }) => type === "draining")).toBe(true), patiently);
    await box.worker("two");
    await writeFile(join(box.home, "go"), "");
    expect((await first.ended).code).toBe(0);
    expect(first.events.at(-2)).toEqual({ type: "task-handed-back", task_id: id });
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    const { stdout } = await box.e8(["query", "select type, iteration from history", "--csv"]);
    const summaries = stdout.split(/\r?\n/).filter((line) => line.startsWith("summary"));
    expect(summaries).toEqual(["summary,1", "summary,2", "summary,3"]);
  });

  test("the task of a worker that was killed goes on before those that wait, also the more urgent ones", async () => {
    const box = await fleetBox(postgres(), 2);
    const begins = ["--check", "true", "--if-green", "work", "--agent-command"];
    const first = await box.submit("first", ...begins, "sleep 1");
    const killed = await box.worker("one");
    await vi.waitFor(() => expect(takenBy(killed)).toEqual([first]), patiently);
    const others: string[] = [];
    for (const name of ["second", "third"])
      others.push(await box.submit(name, "--priority", "critical", ...begins, "sleep 10"));
    killed.child.kill("SIGKILL");
    const worker = await box.worker("two");
    await vi.waitFor(() => expect(takenBy(worker)).toHaveLength(3), patiently);
    expect(takenBy(worker)).toEqual([others[0], first, others[1]]);
  });

  test("a task whose account is used up says in the fleet's status until when it waits", async () => {
    const box = await askingBox(postgres(), story(scene("executor", fault({ resets_in: 3600 }))));
    const id = await box.submit("make it fast", "--check", "test -f fast", "--no-intake");
    await box.worker("one");
    const said = async () => (await box.e8(["fleet", "status"])).stdout;

    await vi.waitFor(async () => expect(await said()).toContain(`${id} waits for a limit until`), patiently);
    const { workers } = JSON.parse((await box.e8(["fleet", "status", "--json"])).stdout);
    expect(workers[0].running[0].waits_until).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await box.e8(["cancel", id])).code).toBe(0);
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "cancelled" }), patiently);
  });

  test("a task with questions waits for answers, and then for a worker; notes reach it there", async () => {
    const questions = asks({ question: "How fast?", suggested_answers: [] });
    const work = [works("made it fast"), summarizes("made it fast"), judges(true, [{ id: 1, is_met: true }])];
    const plays = story({ ...accepts("it answers in time"), when: "below 100 ms" }, questions, ...work);
    const box = await askingBox(postgres(), plays);
    const id = await box.submit("make it fast", "-c", "it is fast");
    expect((await box.e8(["tell", id, "mind the gap"])).code).toBe(0);
    const worker = await box.worker("one");
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "clarification_needed" }), patiently);

    const answered = await box.e8(["answer", id, "--answer", "below 100 ms"]);
    expect(answered.stdout, answered.stderr).toContain("waits for a worker again");
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    await vi.waitFor(() => expect(ends(worker)).toEqual(["task-end", "task-end"]), patiently);
    expect((await box.e8(["query", "select type from history", "--csv"])).stdout).toContain("note");
    expect((await box.e8(["logs", id])).code).toBe(0);
  });

  test("a dashboard elsewhere sees the fleet's project come, and has its tasks answered and taken up again", async () => {
    const questions = asks({ question: "How fast?", suggested_answers: [] });
    const work = [works("made it fast"), summarizes("made it fast"), judges(true, [{ id: 1, is_met: true }])];
    const plays = story({ ...accepts("it answers in time"), when: "below 100 ms" }, questions, ...work);
    const box = await askingBox(postgres(), plays);
    const store = box.url.replace("project=fleet", "project=desk");
    const page = await programsDashboard(box.start(["dashboard", "--no-open", "--port", "0", "--store", store]));
    const read = async <T>(path: string) => JSON.parse((await page.get(path)).text) as T;
    expect((await read<DashboardSession>("/api/session")).projects).toHaveLength(1);

    const id = await box.submit("make it fast", "-c", "it is fast");
    const told = await readEvents(page.url, {
      ...{ path: "/api/events", cookie: page.cookie },
      until: (text) => text.includes(id),
    });
    expect(told).toContain('"name":"fleet","is_elsewhere":true');
    const [row] = await read<TaskRow[]>("/api/tasks");
    const at = `/api/tasks/${row?.project}/${id}`;
    expect(await read<TaskView>(at)).toMatchObject({ status: "queued", is_of_fleet: true });
    expect((await page.post(at, { do: "cancel" })).status).toBe(200);
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "cancelled" }), patiently);
    expect((await page.post(at, { do: "resume" })).text).toContain("waits for a worker again");
    await box.worker("one");
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "clarification_needed" }), patiently);

    const answered = await page.post(at, { do: "answer", answers: ["below 100 ms"] });

    expect(answered, answered.text).toMatchObject({ status: 200, text: expect.stringContaining("waits for a worker") });
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    expect((await page.post(at, { do: "fork", from: 0 })).text).toContain("dashboard_elsewhere");
  });

  test("the task of a worker that is killed or frozen is taken over, and the frozen one writes nothing more", async () => {
    const box = await fleetBox(postgres(), 2);
    const waits = 'while [ ! -f "$HOME/go" ]; do echo waiting; sleep 0.1; done';
    const agent = `echo "$$" >> "$HOME/pids"; ${waits}; touch done`;
    const id = await box.submit("wait", "--check", "test -f done", "--agent-command", agent, "--raw-log");
    const [first, second] = [await box.worker("one"), await box.worker("two")];
    await vi.waitFor(() => expect(existsSync(join(box.home, "pids"))).toBe(true), patiently);
    const [frozen, other] = first.events.some(({ type }) => type === "task-taken") ? [first, second] : [second, first];
    frozen.child.kill("SIGSTOP");
    await vi.waitFor(() => expect(takenBy(other)).toEqual([id]), patiently);
    await writeFile(join(box.home, "go"), "");
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    await vi.waitFor(() => expect(ends(other)).toEqual(["task-end"]), patiently);
    const logged = (await box.e8(["logs", id])).stdout;
    expect(logged).toContain("waiting");
    frozen.child.kill("SIGCONT");
    await vi.waitFor(() => expect(frozen.events).toContainEqual({ type: "task-lost", task_id: id }), patiently);
    expect((await box.e8(["logs", id])).stdout).toBe(logged);
    const { stdout } = await box.e8(["query", "select type, iteration from history", "--csv"]);
    expect(stdout.match(/summary/g)).toHaveLength(1);
  });
});

/** Whose workers play a story, in their own directories and in that of whoever gives tasks. */
async function askingBox(postgres: TestPostgres, plays: ReturnType<typeof story>) {
  const box = await fleetBox(postgres, 5, await scriptedSandbox(plays));
  const outside = join(box.home, "story.json");
  for (const directory of [box.project, join(box.home, "one")]) {
    await mkdir(directory, { recursive: true });
    await copyFile(outside, join(directory, "story.json")); // a task for others names no file of one machine
  }
  await box.write("endless8.yaml", (await box.read("endless8.yaml")).replaceAll(outside, "story.json"));
  return box;
}

function takenBy({ events }: StartedWorker): string[] {
  return events.flatMap((event) => (event.type === "task-taken" ? [event.task_id] : []));
}

function ends({ events }: StartedWorker): string[] {
  return events.map(({ type }) => type).filter((type) => type === "task-end" || type === "task-handed-back");
}

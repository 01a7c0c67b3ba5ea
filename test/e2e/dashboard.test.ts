import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import type { TaskRow, TaskView } from "../../src/model/dashboard.ts";
import { shownProjects } from "../../src/web/projects.ts";
import { dashboardBox, programsDashboard } from "../support/dashboard.ts";
import { type Sandbox, sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

/** A dashboard of a sandbox's project, whose runs are real processes. */
async function shown(command: string) {
  const box = await sandbox();
  await box.write("endless8.yaml", JSON.stringify({ agent: { command }, review: false, sandbox: "off" }));
  const page = await dashboardBox({
    projects: [box.project],
    program: [process.execPath, E8],
    environment: box.env,
  });
  return { box, page, ...asking(box, page) };
}

/** What the page asks about the only project. */
function asking(box: Sandbox, page: Pick<Awaited<ReturnType<typeof dashboardBox>>, "get" | "post">) {
  const key = shownProjects([box.project])[0]?.key ?? "";
  const at = (id: string) => `/api/tasks/${key}/${id}`;
  const begin = async (more: object = {}) => {
    const answer = await page.post("/api/tasks", {
      project: key,
      task: "-- make it",
      checks: ["test -f done"],
      ...more,
    });
    return { status: answer.status, ...(JSON.parse(answer.text) as { said: string; task_id: string; code?: string }) };
  };
  const row = async (id: string) => {
    const rows = JSON.parse((await page.get("/api/tasks")).text) as TaskRow[];
    return rows.find(({ task_id }) => task_id === id);
  };
  return { at, begin, row };
}

const soon = { timeout: 30_000, interval: 50 };

test("a run that is started from the page goes on when the dashboard has ended", async () => {
  const { box, page, begin } = await shown("sleep 2; touch done; echo made it");

  const { said, task_id } = await begin({ criteria: [], max_iterations: 3 });
  expect(said).toContain(task_id);
  await page.dashboard.close();

  await vi.waitFor(async () => expect(await ending(box, task_id)).toMatchObject({ status: "completed" }), soon);
  expect(existsSync(join(box.project, "done"))).toBe(true);
  expect((await box.read(`.e8/tasks/${task_id}/task.json`)).includes('"max_iterations": 3')).toBe(true);
});

test("what keeps a run from beginning is told, with what to do about it", async () => {
  const { begin } = await shown("true");

  const refused = await begin({ checks: [] });

  expect(refused).toMatchObject({ status: 409, code: "dashboard_run" });
  expect(refused).toMatchObject({ message: expect.stringMatching(/criteri/i), hint: expect.stringMatching(/.{10}/) });
});

test("a live run is paused, told something, resumed and cancelled from the page, and its row says so", async () => {
  const { page, at, begin, row } = await shown("sleep 60");
  const { task_id } = await begin();
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ doing: { phase: "execute" } }), soon);

  expect((await page.post(at(task_id), { do: "pause" })).status).toBe(200);
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "paused" }), soon);
  expect((await page.post(at(task_id), { do: "tell", text: "hurry up" })).status).toBe(200);
  expect((await page.post(at(task_id), { do: "rollback", to: 0 })).status).toBe(409);
  expect((await page.post(at(task_id), { do: "resume" })).status).toBe(200);
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "running" }), soon);
  expect((await page.post(at(task_id), { do: "cancel" })).status).toBe(200);
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "cancelled" }), soon);
});

test("a task that has ended is shown with its diff, taken back, forked and resumed from the page", async () => {
  const { box, page, at, begin, row } = await shown("echo line >> work.txt; test -f more && touch done; echo worked");
  const { task_id } = await begin({ max_iterations: 2 });
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "max_iterations" }), soon);

  const diff = JSON.parse((await page.get(`${at(task_id)}/diff?from=0&to=1`)).text);
  expect(diff).toMatchObject({ from: 0, to: 1, is_cut: false, files: [{ path: "work.txt", added: 1 }] });
  expect((await page.post(at(task_id), { do: "rollback", to: 1 })).status).toBe(200);
  expect(await box.read("work.txt")).toBe("line\n");
  const forked = JSON.parse((await page.post(at(task_id), { do: "fork", from: 1 })).text);
  expect(forked.task_id).not.toBe(task_id);
  await vi.waitFor(async () => expect(await row(forked.task_id)).toMatchObject({ status: "max_iterations" }), soon);
  await box.write("more", "");
  expect((await page.post(at(forked.task_id), { do: "resume" })).status).toBe(200);
});

const FAST = { question: "How fast is fast enough?", suggested_answers: ["under one second"] };
const WHERE = { question: "On which machine?", suggested_answers: [] };

test("questions are answered from the page, first some, then all, and the task goes on to its end", async () => {
  const answered = { ...accepts("it answers in time"), when: "the build server" };
  const work = [works("made it fast"), summarizes("made it fast"), judges(true, [{ id: 1, is_met: true }])];
  const box = await scriptedSandbox(story(answered, asks(FAST, WHERE), ...work), { review: false });
  const page = await programsDashboard(box.start(["dashboard", "--no-open", "--port", "0"]));
  const { at, begin, row } = asking(box, page);
  const { task_id } = await begin({ criteria: ["it is fast enough"], checks: [] });
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "clarification_needed" }), soon);
  const open = async () => (JSON.parse((await page.get(at(task_id))).text) as TaskView).questions;
  expect((await open()).map(({ question }) => question)).toEqual([FAST.question, WHERE.question]);

  expect((await page.post(at(task_id), { do: "answer", answers: ["", ""] })).status).toBe(400);
  expect((await page.post(at(task_id), { do: "answer", answers: ["under one second", ""] })).status).toBe(200);
  expect((await open()).map(({ question }) => question)).toEqual([WHERE.question]);
  const last = await page.post(at(task_id), { do: "answer", answers: ["the build server"] });

  expect(last).toMatchObject({ status: 200, text: expect.stringContaining(task_id) });
  await vi.waitFor(async () => expect(await row(task_id)).toMatchObject({ status: "completed" }), soon);
  const asked = (await box.asked("intake")).at(-1)?.text;
  for (const answer of ["under one second", "the build server"]) expect(asked).toContain(answer);
});

test("e8 dashboard prints an address that lets in, serves its page, and ends with Ctrl-C", async () => {
  const box = await sandbox();
  const { child, ended } = box.start(["dashboard", "--no-open", "--port", "0", "--read-only"]);

  const address = await new Promise<URL>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const found = /http:\S+/.exec(chunk.toString());
      if (found) resolve(new URL(found[0]));
    });
  });
  const entered = await fetch(address, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await fetch(address.origin, { headers: { cookie } });
  child.kill("SIGINT");

  expect([entered.status, page.status]).toEqual([303, 200]);
  expect(await page.text()).toContain("<!doctype html>");
  expect((await ended).code).toBe(0);
});

test("a port that is taken is told, and so is one that is none", async () => {
  const box = await sandbox();
  const { url } = await dashboardBox();

  const taken = await box.e8(["dashboard", "--no-open", "--port", url.port]);
  const wrong = await box.e8(["dashboard", "--no-open", "--port", "http"]);

  expect([taken.code, wrong.code]).toEqual([2, 2]);
  expect(taken.stderr).toContain(`port ${url.port}`);
  expect(wrong.stderr).toContain("--port");
});

async function ending(box: Sandbox, id: string) {
  return (await box.records(id)).find((record) => record.type === "final_result");
}

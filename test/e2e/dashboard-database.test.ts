import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { DashboardSession, TaskRow, TaskView } from "../../src/model/dashboard.ts";
import { programsDashboard } from "../support/dashboard.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { sandbox } from "../support/sandbox.ts";

const patiently = { timeout: 60_000, interval: 100 };
const GREETS = ["run", "greet", "--check", "test -f hello", "--agent-command", "touch hello; echo hi", "--json"];
const WAITS = ["run", "wait", "--check", "test -f never", "--agent-command", "sleep 300", "--json"];

/** A database with an ended task of the sandbox's project, and a live one of another, which lies elsewhere; and the dashboard of it. */
async function shownDatabase(url: string) {
  const box = await sandbox();
  const other = join(box.home, "depot");
  await mkdir(other);
  expect((await box.e8(["fleet", "init", url])).code).toBe(0);
  expect((await box.e8([...GREETS, "--store", url])).code).toBe(0);
  const run = box.start([...WAITS, "--store", `${url}&project=depot`], { cwd: other });
  const standing = async () => JSON.parse((await box.e8(["fleet", "status", "--store", url, "--json"])).stdout);
  await vi.waitFor(async () => expect((await standing()).held).toHaveLength(1), patiently);
  const page = await programsDashboard(box.start(["dashboard", "--no-open", "--port", "0", "--store", url]));
  const read = async <T>(path: string) => JSON.parse((await page.get(path)).text) as T;
  const row = async (title: string) => (await read<TaskRow[]>("/api/tasks")).find((one) => one.title === title);
  return { box, page, read, row, run };
}

describeWithPostgres("a dashboard of a database", (postgres) => {
  test("shows the tasks of all its projects, starts runs in its own, and steers those of other machines", async () => {
    const { box, page, read, row, run } = await shownDatabase(postgres().schema());
    const { projects } = await read<DashboardSession>("/api/session");
    const [own, depot] = projects;
    expect(projects).toMatchObject([{ is_elsewhere: false }, { name: "depot", is_elsewhere: true }]);

    expect(await row("greet")).toMatchObject({ project: own?.key, status: "completed" });
    const live = await row("wait");
    expect(live).toMatchObject({ project: depot?.key, status: "running" });
    const at = `/api/tasks/${depot?.key}/${live?.task_id}`;
    expect(await read<TaskView>(at)).toMatchObject({ task: "wait", status: "running" });
    const act = async (action: object) => (await page.post(at, action)).status;
    expect(await act({ do: "tell", text: "be quick" })).toBe(200);
    expect((await read<TaskView>(at)).notes).toMatchObject([{ text: "be quick" }]);
    expect(await act({ do: "pause" })).toBe(200);
    await vi.waitFor(async () => expect(await row("wait")).toMatchObject({ status: "paused" }), patiently);
    expect(await act({ do: "resume" })).toBe(200);
    expect(await act({ do: "cancel" })).toBe(200);
    expect((await run.ended).code).toBe(3);
    await vi.waitFor(async () => expect(await row("wait")).toMatchObject({ status: "cancelled" }), patiently);

    const begun = { task: "-- again", checks: ["test -f hello"], criteria: [] };
    for (const refused of [
      await page.post(at, { do: "resume" }),
      await page.post(at, { do: "fork", from: 0 }),
      await page.post("/api/tasks", { ...begun, project: depot?.key }),
      await page.get(`${at}/diff?from=0`),
    ])
      expect(refused).toMatchObject({ status: 409, text: expect.stringContaining("dashboard_elsewhere") });
    await box.write("endless8.yaml", JSON.stringify({ agent: { command: "echo hi" }, review: false }));
    expect((await page.post("/api/tasks", { ...begun, project: own?.key })).status).toBe(200);
    await vi.waitFor(async () => expect(await row("-- again")).toMatchObject({ status: "completed" }), patiently);
    expect(existsSync(join(box.project, ".e8/tasks"))).toBe(false);
  });

  test("shows only the projects that are named, where some are", async () => {
    const url = postgres().schema();
    const { box } = await shownDatabase(url);
    const words = ["dashboard", "--no-open", "--port", "0", "--store", url, "--project", box.project];

    const page = await programsDashboard(box.start(words));

    const { projects } = JSON.parse((await page.get("/api/session")).text) as DashboardSession;
    expect(projects).toHaveLength(1);
    expect(JSON.parse((await page.get("/api/tasks")).text)).toHaveLength(1);
  });
});

import { expect, test, vi } from "vitest";
import { type FleetBox, fleetBox } from "../support/fleet-box.ts";
import { describeWithPostgres } from "../support/postgres.ts";

const patiently = { timeout: 60_000, interval: 100 };
const AGENT = ["--check", "true", "--agent-command", "true", "--if-green", "work"];

describeWithPostgres("tasks of a fleet that go into files and to another database", (postgres) => {
  test("wait again with their labels and in their order, and stay cancelled", async () => {
    const first = await fleetBox(postgres());
    const plain = await first.submit("plain", "--label", "gpu", ...AGENT);
    const urgent = await first.submit("urgent", "--label", "gpu", "--priority", "high", ...AGENT);
    const withdrawn = await first.submit("withdrawn", ...AGENT);
    await first.e8(["cancel", withdrawn]);

    await moved(first, "export");

    const among = await first.e8(["list", "--json"], { env: { ENDLESS8_STORE: "files" } });
    expect(JSON.parse(among.stdout)).toMatchObject([
      { task_id: plain, status: "interrupted" },
      { task_id: urgent, status: "interrupted" },
      { task_id: withdrawn, status: "cancelled" },
    ]);
    expect(await first.statuses()).toEqual({});

    const second = await fleetBox(postgres(), 5, first);
    await moved(second, "import");

    const waiting = { [plain]: "queued", [urgent]: "queued", [withdrawn]: "cancelled" };
    expect(await second.statuses()).toEqual(waiting);
    await second.worker("other");
    const worker = await second.worker("one", "--label", "gpu");
    const done = { [plain]: "completed", [urgent]: "completed", [withdrawn]: "cancelled" };
    await vi.waitFor(async () => expect(await second.statuses()).toEqual(done), patiently);
    const taken = worker.events.flatMap((event) => (event.type === "task-taken" ? [event.task_id] : []));
    expect(taken).toEqual([urgent, plain]);
  });
});

async function moved(box: FleetBox, direction: "export" | "import"): Promise<void> {
  const { code, stderr } = await box.e8([direction, "--move"]);
  expect(code, stderr).toBe(0);
}

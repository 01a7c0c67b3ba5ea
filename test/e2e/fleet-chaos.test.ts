import process from "node:process";
import { expect, test, vi } from "vitest";
import type { ChaosPlan } from "../support/chaos-plan.ts";
import { fleetBox } from "../support/fleet-box.ts";
import { runChaos } from "../support/fleet-chaos.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { processesOf } from "../support/users-repository.ts";

type Plan = Omit<ChaosPlan, "seed">;

const SHORT: Plan = { workers: 3, slots: 2, tasks: 24, iterations: 4, lease: 2, limit: 5, blows: 24 };
/** `E8_CHAOS=full`, which takes many minutes; `E8_CHAOS_SEED` has other blows fall. */
const FULL: Plan = { workers: 3, slots: 8, tasks: 120, iterations: 10, lease: 5, limit: 20, blows: 100_000 };
const patiently = { timeout: 60_000, interval: 50 };
const isFull = process.env.E8_CHAOS === "full";
const PLAN = { ...(isFull ? FULL : SHORT), seed: Number(process.env.E8_CHAOS_SEED ?? 17) };

describeWithPostgres("a fleet whose workers and database are struck again and again", (postgres) => {
  test(
    "completes every task; no record is lost, doubled or out of order, and no process is left",
    async () => {
      const report = await runChaos(postgres(), PLAN);
      const { blows, seconds, takeovers, most_at_once, most_held } = report;
      const said = { seed: PLAN.seed, blows, seconds, takeovers, most_at_once, most_held };
      process.stderr.write(`${JSON.stringify(said)}\n`);

      expect(report.failures).toEqual([]);
      expect(report.crashes).toEqual([]);
      expect(report.statuses).toEqual(Array(PLAN.tasks).fill("max_iterations"));
      const iterations = Array.from({ length: PLAN.iterations }, (_, index) => index + 1);
      const expected = [
        ...iterations.flatMap((number) => [`summary ${number}`, `judgment ${number}`]),
        "final_result null",
      ];
      for (const history of report.histories)
        expect(history.map((one) => `${one.type} ${"iteration" in one ? one.iteration : null}`)).toEqual(expected);
      expect(most_at_once).toBeLessThanOrEqual(PLAN.slots);
      expect(most_held).toBeLessThanOrEqual(PLAN.limit);
      expect(processesOf({ home: report.home })).toEqual([]);
    },
    isFull ? 3_600_000 : 300_000,
  );

  test("a killed worker's task is taken by one that has room, and how soon is printed", async () => {
    const lease = 5;
    const box = await fleetBox(postgres(), lease);
    const agent = ["--check", "false", "--agent-command", "sleep 1; echo worked", "-n", "30"];
    const id = await box.submit("long", ...agent);
    const first = await box.worker("one");
    await vi.waitFor(() => expect(first.events.some(({ type }) => type === "task-taken")).toBe(true), patiently);
    const second = await box.worker("two");
    first.child.kill("SIGKILL");
    const died = Date.now();
    await vi.waitFor(
      () => expect(second.events).toContainEqual(expect.objectContaining({ type: "task-taken" })),
      patiently,
    );
    const seconds = (Date.now() - died) / 1000;
    process.stderr.write(`${JSON.stringify({ takeover: id, seconds, lease })}\n`);
    second.child.kill("SIGKILL");
    await second.ended;
  }, 120_000);
});

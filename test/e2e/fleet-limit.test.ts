import { expect, test, vi } from "vitest";
import { fleetBox } from "../support/fleet-box.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { sandbox } from "../support/sandbox.ts";

const LIMIT = ["fleet", "limit"];
const patiently = { timeout: 60_000, interval: 200 };

describeWithPostgres("e8 fleet limit", (postgres) => {
  test("sets limits, shows them beside what is used, replaces them and removes them", async () => {
    const box = await fleetBox(postgres());
    const none = await box.e8(LIMIT);
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("No limits are set");

    await box.e8([...LIMIT, "label", "gpu", "--at-once", "3"]);
    const both = await box.e8([...LIMIT, "project", "fleet", "--per-day", "50", "--in-all", "800.5"]);
    expect(both.stdout.trimEnd().split("\n").map(words)).toEqual([
      ["kind", "name", "at once", "today", "in all"],
      ["label", "gpu", "0 / 3", "-", "-"],
      ["project", "fleet", "-", "$0.00 / $50.00", "$0.00 / $800.50"],
    ]);
    await box.e8([...LIMIT, "label", "gpu", "--at-once", "1"]);
    const { stdout } = await box.e8([...LIMIT, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      limits: [
        { kind: "label", name: "gpu", at_once: 1 },
        { kind: "project", name: "fleet", per_day: 50, in_all: 800.5, at_once: null },
      ],
      closed: [],
    });
    const left = await box.e8([...LIMIT, "project", "fleet", "--off"]);
    expect(left.stdout).not.toContain("project");
    expect(left.stdout).toContain("gpu");
  });

  test("a task that a limit keeps in line is in the fleet's status with the reason, until it is worked on", async () => {
    const box = await fleetBox(postgres());
    await box.e8([...LIMIT, "project", "fleet", "--at-once", "0"]);
    const id = await box.submit("waits", "--check", "true", "--if-green", "work", "--agent-command", "sleep 2");
    await box.worker("one");
    const status = async () => JSON.parse((await box.e8(["fleet", "status", "--json"])).stdout);

    await vi.waitFor(
      async () =>
        expect((await status()).postponed).toMatchObject([{ task_id: id, error_code: "fleet_limit_reached" }]),
      patiently,
    );
    const { stdout } = await box.e8(["fleet", "status"]);
    expect(stdout).toMatch(new RegExp(`task id +put off until +why\\n${id} `));

    await box.e8([...LIMIT, "project", "fleet", "--off"]);
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    await vi.waitFor(async () => expect((await status()).postponed).toEqual([]), patiently);
  });

  test("speaks Japanese", async () => {
    const box = await fleetBox(postgres());
    const speaks = ["--lang", "ja"];
    expect((await box.e8([...speaks, ...LIMIT])).stderr).toContain("上限は設定されていません");
    const { stdout } = await box.e8([...speaks, ...LIMIT, "account", "claude", "--at-once", "2"]);
    expect(stdout).toMatch(/^種類 +名前 +同時 +今日 +累計\n/);
    const refused = await box.e8([...speaks, ...LIMIT, "label", "gpu", "--at-once", "-1"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("0 以上の数");
  });

  test.each([
    [["team", "x", "--at-once", "1"], "repository"],
    [["label"], "a label, an account or a project"],
    [["label", "gpu", "--at-once", "1.5"], "--at-once"],
    [["label", "gpu", "--at-once", ""], "--at-once"],
    [["project", "fleet", "--per-day", "much"], "a number that is not negative"],
    [["project", "fleet", "--in-all=-5"], "--in-all"],
  ])("refuses %j and sets nothing", async (typed, said) => {
    const box = await fleetBox(postgres());
    const refused = await box.e8([...LIMIT, ...typed]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(said);
    expect(JSON.parse((await box.e8([...LIMIT, "--json"])).stdout).limits).toEqual([]);
  });

  test("says what it needs where tasks are files", async () => {
    const refused = await (await sandbox()).e8(LIMIT);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("e8 fleet limit");
  });
});

function words(line: string): string[] {
  return line.trim().split(/ {2,}/);
}

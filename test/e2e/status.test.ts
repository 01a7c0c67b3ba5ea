import { describe, expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import { appears, backlogBox, RUN, slowRemote, worker } from "../support/backlog-box.ts";
import { write } from "../support/repository.ts";
import type { Sandbox } from "../support/sandbox.ts";

async function standing(box: Sandbox): Promise<Record<string, string>> {
  const { stdout } = await box.e8(["status", "--json"]);
  const tasks: { issue: number; doing: string }[] = JSON.parse(stdout);
  return Object.fromEntries(tasks.map(({ issue, doing }) => [issue, doing]));
}

describe("e8 status", () => {
  test("says what runs, merges, waits to merge, waits for a person and is queued, and why", async () => {
    const box = await backlogBox({ 1: "", 2: "", 3: "", 4: "" });
    const nothing = await box.e8(["status"]);
    await slowRemote(box);
    const script = `
case $n in
1) ;;
2) while [ ! -e ~/.cache/receiving ]; do sleep 0.05; done ;;
3) touch ~/.cache/begun; sleep 600 ;;
4) exit 0 ;;
esac
echo done > done-$n.txt`;
    const { child, ended } = box.start([...RUN, "--push", "--parallel", "4", "-n", "1", ...worker(script)]);
    await appears(box, ".cache/begun");
    const wanted = { 1: "merging", 2: "to_merge", 3: "running", 4: "parked" };

    await eventually("all are in their places", async () => {
      const found = await standing(box);
      return JSON.stringify(found) === JSON.stringify(wanted);
    });
    const shown = await box.e8(["status"]);
    child.kill("SIGINT");
    await write(box.home, { ".cache/go": "" });
    await ended;

    expect(nothing.stderr).toContain("Nothing runs, waits or is blocked here.");
    expect(shown.stdout).toMatch(/ 1 +merging .*Issue #1: Issue 1/);
    expect(shown.stdout).toMatch(/ 2 +waiting to merge /);
    expect(shown.stdout).toMatch(/ 3 +running /);
    expect(shown.stdout).toMatch(/ 4 +waits for you: .+/);
    const after = await standing(box);
    expect(after).toMatchObject({ 2: "queued", 3: "queued", 4: "parked" });
  });
});

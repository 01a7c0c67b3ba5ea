import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { backlogBox, outcomeOf, RUN, worker } from "../support/backlog-box.ts";
import { fleetBox } from "../support/fleet-box.ts";
import { sharedRemote } from "../support/fleet-remote.ts";
import { addRemote } from "../support/landed-backlog.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { git } from "../support/repository.ts";

const patiently = { timeout: 90_000, interval: 200 };

describeWithPostgres("workers that clone what they work on", (postgres) => {
  test("the task of a worker that is killed goes on elsewhere, where its last iteration ended", async () => {
    const box = await fleetBox(postgres(), 2);
    await mkdir(join(box.home, ".cache"));
    const remote = await sharedRemote();
    const agent =
      "echo more >> count; if [ $(wc -l < count) -eq 2 ] && [ ! -f ~/.cache/go ]; then touch ~/.cache/go; sleep 300; fi";
    const check = "test $(wc -l < count) -ge 3";
    const task = ["count", "--check", check, "--agent-command", agent, "-n", "5"];
    const id = await box.submit(...task, "--repo", remote.url, "--base", "main");
    const first = await box.worker("one", "--repo", remote.url);
    await vi.waitFor(() => expect(iterations(first.events)).toContain(2), patiently);
    await vi.waitFor(async () => expect(await box.e8(["show", id])).toMatchObject({ code: 0 }), patiently);
    first.child.kill("SIGKILL");
    await first.ended;
    await box.worker("two", "--repo", remote.url);

    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
    expect(await git(remote.url, "show", `refs/e8/${id}/3:count`)).toBe("more\nmore\nmore\n");
  });

  test("a worker leaves what it was not started for to another", async () => {
    const box = await fleetBox(postgres(), 2);
    const remote = await sharedRemote();
    const id = await box.submit("x", "--check", "true", "--agent-command", "true", "--repo", remote.url);

    const other = await box.worker("one", "--repo", `${remote.url}/../other.git`);
    const left = expect.objectContaining({ type: "task-postponed", error_code: "task_not_allowed" });
    await vi.waitFor(() => expect(other.events).toContainEqual(left), patiently);
    expect(await box.statuses()).toEqual({ [id]: "queued" });

    await box.worker("two", "--repo", remote.url);
    await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
  });

  test("issues of a backlog are worked on by the fleet and land one after the other", async () => {
    const backlog = await backlogBox({ 1: "", 2: "", 3: "" });
    const remote = await addRemote(backlog);
    const box = await fleetBox(postgres(), 5, backlog);
    const workers = [
      await box.worker("one", "--repo", remote, "--concurrency", "2"),
      await box.worker("two", "--repo", remote, "--concurrency", "2"),
    ];
    const agent = worker('echo done > done-$n.txt; echo "by $n" > a.txt');

    const ended = await box.e8([...RUN, ...agent, "--parallel", "3"]);

    expect(outcomeOf(ended).items, ended.stderr).toMatchObject([
      { state: "done" },
      { state: "done" },
      { state: "done" },
    ]);
    const commits = (await git(remote, "rev-list", "--first-parent", "main")).trim().split("\n");
    expect(commits).toHaveLength(4);
    const takers = workers.filter(({ events }) => events.some(({ type }) => type === "task-end"));
    expect(takers.length).toBeGreaterThan(0);
  });
});

function iterations(events: readonly object[]): number[] {
  return events.flatMap((event) => {
    const found = JSON.stringify(event).match(/"type":"iteration-start","iteration":(\d+)/);
    return found ? [Number(found[1])] : [];
  });
}

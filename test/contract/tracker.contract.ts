import { describe, expect, test } from "vitest";
import type { IssueTracker, TrackedItem } from "../../src/connection/ports/tracker.ts";
import { saying } from "../support/saying.ts";
import { type Uncancelled, uncancelled } from "../support/uncancelled.ts";

export type MakeTracker = (items: readonly TrackedItem[]) => Promise<IssueTracker>;

async function plainly(make: MakeTracker, items: readonly TrackedItem[]): Promise<Uncancelled> {
  return uncancelled(await make(items));
}

const issue: TrackedItem = {
  kind: "issue",
  number: 12,
  state: "OPEN",
  labels: ["bug", "needs: テスト"],
};
const pr: TrackedItem = { ...issue, kind: "pr", number: 7, labels: [] };

/** What every adapter of the IssueTracker port promises. */
export function trackerContract(name: string, make: MakeTracker): void {
  describe(`${name} keeps the tracker's contract:`, () => {
    test("an issue and a pull request are read as they are", async () => {
      const tracker = await plainly(make, [issue, pr]);

      expect(await tracker.get("issue", 12)).toEqual(issue);
      expect(await tracker.get("pr", 7)).toEqual(pr);
    });

    test.each(["OPEN", "CLOSED", "MERGED"])("a pull request may be %s", async (state) => {
      const tracker = await plainly(make, [{ ...pr, state }]);

      expect(await tracker.get("pr", 7)).toMatchObject({ state });
    });

    test.each([issue, pr])("closing $kind #$number changes only its state, and may be done twice", async (item) => {
      const tracker = await plainly(make, [item]);

      await tracker.close(item.kind, item.number);
      await tracker.close(item.kind, item.number);

      expect(await tracker.get(item.kind, item.number)).toEqual({ ...item, state: "CLOSED" });
    });

    test("closing a merged pull request leaves it merged", async () => {
      const tracker = await plainly(make, [{ ...pr, state: "MERGED" }]);

      await tracker.close("pr", 7);

      expect(await tracker.get("pr", 7)).toMatchObject({ state: "MERGED" });
    });

    test("labels are added and removed, also when done twice", async () => {
      const tracker = await plainly(make, [issue]);
      const change = { add: ["done", "レビュー/済", "bug"], remove: ["needs: テスト"] };

      await tracker.label(12, change);
      await tracker.label(12, change);

      expect(await tracker.get("issue", 12)).toEqual({ ...issue, labels: ["bug", "done", "レビュー/済"] });
    });

    test("removing a label that is not there is harmless", async () => {
      const tracker = await plainly(make, [issue]);

      await tracker.label(12, { add: [], remove: ["absent"] });

      expect(await tracker.get("issue", 12)).toEqual(issue);
    });

    test("a pull request is labelled like an issue", async () => {
      const tracker = await plainly(make, [pr]);

      await tracker.label(7, { add: ["reviewed"], remove: [] });

      expect(await tracker.get("pr", 7)).toEqual({ ...pr, labels: ["reviewed"] });
    });

    test("changes made at once are all made", async () => {
      const tracker = await plainly(make, [issue]);

      await Promise.all(["a", "b", "c"].map((label) => tracker.label(12, { add: [label], remove: [] })));

      expect((await tracker.get("issue", 12)).labels).toEqual(expect.arrayContaining(["a", "b", "c", "bug"]));
    });

    const acts: [string, (tracker: Uncancelled) => Promise<unknown>][] = [
      ["reading", (tracker) => tracker.get("issue", 404)],
      ["closing", (tracker) => tracker.close("issue", 404)],
      ["labelling", (tracker) => tracker.label(404, { add: ["a"], remove: ["b"] })],
    ];
    test.each(acts)("%s an item that does not exist is a failure that names it", async (_what, act) => {
      const tracker = await plainly(make, [issue]);

      await expect(act(tracker)).rejects.toMatchObject({
        code: "tracker_failed",
        details: { what: saying("#404") },
      });
    });

    test("nothing is changed after a cancel", async () => {
      const tracker = await make([issue]);
      const signal = AbortSignal.abort();

      for (const act of [
        tracker.get("issue", 12, signal),
        tracker.close("issue", 12, signal),
        tracker.label(12, { add: ["a"], remove: [] }, signal),
      ])
        await expect(act).rejects.toMatchObject({ code: "tracker_failed" });

      expect(await uncancelled(tracker).get("issue", 12)).toEqual(issue);
    });

    test("an item of the other kind is refused, and not closed", async () => {
      const tracker = await plainly(make, [issue, pr]);

      await expect(tracker.get("pr", 12)).rejects.toMatchObject({
        code: "tracker_failed",
        details: { problem: saying("#12 is an issue") },
      });
      await expect(tracker.close("issue", 7)).rejects.toMatchObject({ code: "tracker_failed" });
      expect(await tracker.get("pr", 7)).toMatchObject({ state: "OPEN" });
    });
  });
}

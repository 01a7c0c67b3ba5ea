import { describe, expect, test } from "vitest";
import type { IssueTracker, TrackedItem } from "../../src/connection/ports.ts";
import { type Uncancelled, uncancelled } from "../support/uncancelled.ts";

export interface TrackerUnderTest {
  tracker: IssueTracker;
  /** The comments on an item, the earliest first. */
  comments(number: number): Promise<string[]>;
}

export type MakeTracker = (items: readonly TrackedItem[]) => Promise<TrackerUnderTest>;

async function plainly(make: MakeTracker, items: readonly TrackedItem[]) {
  const { tracker, ...rest } = await make(items);
  return { tracker: uncancelled(tracker), ...rest };
}

const issue: TrackedItem = {
  kind: "issue",
  number: 12,
  state: "OPEN",
  title: "It: does not # work",
  body: "Steps:\n\n1. 開く\n2. `rm`",
  labels: ["bug", "needs: テスト"],
};
const pr: TrackedItem = { ...issue, kind: "pr", number: 7, title: "Fix it", body: "", labels: [] };

/** What every adapter of the IssueTracker port promises. */
export function trackerContract(name: string, make: MakeTracker): void {
  describe(`${name} keeps the tracker's contract:`, () => {
    test("an issue and a pull request are read as they are", async () => {
      const { tracker } = await plainly(make, [issue, pr]);

      expect(await tracker.get("issue", 12)).toEqual(issue);
      expect(await tracker.get("pr", 7)).toEqual(pr);
    });

    test.each(["OPEN", "CLOSED", "MERGED"])("a pull request may be %s", async (state) => {
      const { tracker } = await plainly(make, [{ ...pr, state }]);

      expect(await tracker.get("pr", 7)).toMatchObject({ state });
    });

    test.each([issue, pr])("closing $kind #$number changes its state alone, and may be done twice", async (item) => {
      const { tracker } = await plainly(make, [item]);

      await tracker.close(item.kind, item.number);
      await tracker.close(item.kind, item.number);

      expect(await tracker.get(item.kind, item.number)).toEqual({ ...item, state: "CLOSED" });
    });

    test("closing what was merged leaves it merged", async () => {
      const { tracker } = await plainly(make, [{ ...pr, state: "MERGED" }]);

      await tracker.close("pr", 7);

      expect(await tracker.get("pr", 7)).toMatchObject({ state: "MERGED" });
    });

    test("labels are added and removed, and may be so twice", async () => {
      const { tracker } = await plainly(make, [issue]);
      const change = { add: ["done", "レビュー/済", "bug"], remove: ["needs: テスト"] };

      await tracker.label(12, change);
      await tracker.label(12, change);

      expect(await tracker.get("issue", 12)).toEqual({ ...issue, labels: ["bug", "done", "レビュー/済"] });
    });

    test("removing a label that is not there is harmless", async () => {
      const { tracker } = await plainly(make, [issue]);

      await tracker.label(12, { add: [], remove: ["absent"] });

      expect(await tracker.get("issue", 12)).toEqual(issue);
    });

    test("a pull request is labelled and commented on like an issue", async () => {
      const { tracker, comments } = await plainly(make, [pr]);

      await tracker.label(7, { add: ["reviewed"], remove: [] });
      await tracker.comment(7, "Looks good.");

      expect(await tracker.get("pr", 7)).toMatchObject({ labels: ["reviewed"], body: "" });
      expect(await comments(7)).toEqual(["Looks good."]);
    });

    test("comments are kept in order, and leave the rest as it was", async () => {
      const { tracker, comments } = await plainly(make, [issue]);

      await tracker.comment(12, "First.\n\n## With a heading\n\nand ---\n");
      await tracker.comment(12, "二番目");

      expect(await comments(12)).toEqual(
        ["First.\n\n## With a heading\n\nand ---\n", "二番目"].map((text) => text.trim()),
      );
      expect(await tracker.get("issue", 12)).toEqual(issue);
    });

    test("the same comment made twice in a row is one, made again later is another", async () => {
      const { tracker, comments } = await plainly(make, [issue]);

      for (const text of ["again", "again", "between", "again"]) await tracker.comment(12, text);

      expect(await comments(12)).toEqual(["again", "between", "again"]);
    });

    test("changes made at once are all made", async () => {
      const { tracker } = await plainly(make, [issue]);

      await Promise.all(["a", "b", "c"].map((label) => tracker.label(12, { add: [label], remove: [] })));

      expect((await tracker.get("issue", 12)).labels).toEqual(expect.arrayContaining(["a", "b", "c", "bug"]));
    });

    const acts: [string, (tracker: Uncancelled) => Promise<unknown>][] = [
      ["reading", (tracker) => tracker.get("issue", 404)],
      ["closing", (tracker) => tracker.close("issue", 404)],
      ["labelling", (tracker) => tracker.label(404, { add: ["a"], remove: ["b"] })],
      ["commenting on", (tracker) => tracker.comment(404, "text")],
    ];
    test.each(acts)("%s what does not exist is a failure that names it", async (_what, act) => {
      const { tracker } = await plainly(make, [issue]);

      await expect(act(tracker)).rejects.toMatchObject({
        code: "tracker_failed",
        details: { what: { en: expect.stringContaining("#404"), ja: expect.stringContaining("#404") } },
      });
    });

    test("cancelled before it began, nothing is changed", async () => {
      const { tracker } = await make([issue]);
      const signal = AbortSignal.abort();

      for (const act of [
        tracker.get("issue", 12, signal),
        tracker.close("issue", 12, signal),
        tracker.label(12, { add: ["a"], remove: [] }, signal),
        tracker.comment(12, "text", signal),
      ])
        await expect(act).rejects.toMatchObject({ code: "tracker_failed" });

      expect(await uncancelled(tracker).get("issue", 12)).toEqual(issue);
    });

    test("what is of the other kind is refused, and not closed", async () => {
      const { tracker } = await plainly(make, [issue, pr]);

      await expect(tracker.get("pr", 12)).rejects.toMatchObject({
        code: "tracker_failed",
        message: expect.stringContaining("#12 is an issue"),
      });
      await expect(tracker.close("issue", 7)).rejects.toMatchObject({ code: "tracker_failed" });
      expect(await tracker.get("pr", 7)).toMatchObject({ state: "OPEN" });
    });
  });
}

import { describe, expect, test } from "vitest";
import type { IssueFilter, IssueTracker } from "../../src/connection/ports/tracker.ts";
import type { TrackedItem } from "../../src/model/issue.ts";
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
  title: "It does not work",
  body: "Since 9:00.\n\nいつも。",
  created_at: "2026-01-23T10:00:00.000Z",
  url: "",
  blocked_by: [],
};
const pr: TrackedItem = { ...issue, kind: "pr", number: 7, labels: [] };
const everything: IssueFilter = { state: "all", labels: [], limit: 1000 };

/** The item, wherever it is kept. */
function same({ url: _url, created_at: _created_at, ...item }: TrackedItem): unknown {
  return expect.objectContaining(item);
}

/** What every adapter of the IssueTracker port promises. */
export function trackerContract(name: string, make: MakeTracker): void {
  describe(`${name} keeps the tracker's contract:`, () => {
    test("an issue and a pull request are read as they are", async () => {
      const tracker = await plainly(make, [issue, pr]);

      expect(await tracker.get("issue", 12)).toEqual(same(issue));
      expect(await tracker.get("pr", 7)).toEqual(same(pr));
    });

    test.each(["OPEN", "CLOSED", "MERGED"])("a pull request may be %s", async (state) => {
      const tracker = await plainly(make, [{ ...pr, state }]);

      expect(await tracker.get("pr", 7)).toMatchObject({ state });
    });

    test.each([issue, pr])("closing $kind #$number changes only its state, and may be done twice", async (item) => {
      const tracker = await plainly(make, [item]);

      await tracker.close(item.kind, item.number);
      await tracker.close(item.kind, item.number);

      expect(await tracker.get(item.kind, item.number)).toEqual(same({ ...item, state: "CLOSED" }));
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

      expect(await tracker.get("issue", 12)).toEqual(same({ ...issue, labels: ["bug", "done", "レビュー/済"] }));
    });

    test("removing a label that is not there is harmless", async () => {
      const tracker = await plainly(make, [issue]);

      await tracker.label(12, { add: [], remove: ["absent"] });

      expect(await tracker.get("issue", 12)).toEqual(same(issue));
    });

    test("a pull request is labelled like an issue", async () => {
      const tracker = await plainly(make, [pr]);

      await tracker.label(7, { add: ["reviewed"], remove: [] });

      expect(await tracker.get("pr", 7)).toEqual(same({ ...pr, labels: ["reviewed"] }));
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
      ["commenting on", (tracker) => tracker.comment(404, { body: "a", marker: "b" })],
      ["reading the comments of", (tracker) => tracker.comments(404)],
      ["linking", (tracker) => tracker.link({ issue: 12, pull_request: 404, closes: true })],
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
        tracker.list(everything, signal),
        tracker.create({ title: "a", body: "b", labels: [], blocked_by: [] }, signal),
        tracker.comment(12, { body: "a", marker: "b" }, signal),
        tracker.openPullRequest(work, signal),
        tracker.saveLabel({ name: "a" }, signal),
        tracker.release({ tag: "v1", title: "a", body: "b" }, signal),
      ])
        await expect(act).rejects.toMatchObject({ code: "tracker_failed" });

      const plain = uncancelled(tracker);
      expect(await plain.list(everything)).toEqual([same(issue)]);
      expect(await plain.comments(12)).toEqual([]);
      expect(await plain.findPullRequest(work.head)).toBeUndefined();
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
  backlogContract(name, make);
  publishingContract(name, make);
}

function backlogContract(name: string, make: MakeTracker): void {
  describe(`${name} keeps a backlog:`, () => {
    const closed: TrackedItem = { ...issue, number: 3, state: "CLOSED", labels: [] };
    const items = [pr, { ...issue, number: 30 }, closed, issue];

    test.each<[Partial<IssueFilter>, number[]]>([
      [{}, [12, 30]],
      [{ state: "closed" }, [3]],
      [{ state: "all" }, [3, 12, 30]],
      [{ state: "all", limit: 2 }, [3, 12]],
      [{ labels: ["BUG"] }, [12, 30]],
      [{ labels: ["bug", "needs: テスト"], limit: 1 }, [12]],
      [{ labels: ["bug", "absent"] }, []],
    ])("a list has issues only, by number: %j", async (filter, numbers) => {
      const tracker = await plainly(make, items);

      const listed = await tracker.list({ state: "open", labels: [], limit: 100, ...filter });

      expect(listed.map(({ number }) => number)).toEqual(numbers);
      for (const one of listed) expect(one).toMatchObject({ title: issue.title, body: issue.body });
    });

    test("a list of many issues is complete", async () => {
      const many = Array.from({ length: 230 }, (_, index) => ({ ...issue, number: index + 1 }));
      const tracker = await plainly(make, many);

      expect(await tracker.list(everything)).toHaveLength(230);
      expect((await tracker.list({ ...everything, limit: 130 })).at(-1)?.number).toBe(130);
    });

    test("an issue is created with the next number, and read again as it was written", async () => {
      const tracker = await plainly(make, [issue]);
      const fields = { priority: "high", blocked_by: [12, 3], base: "release/2" };
      const draft = { title: "Add `--json`: もっと", body: "# A\n\n- b\n", labels: ["bug", "新"], ...fields };

      const created = await tracker.create(draft);

      expect(created).toMatchObject({ number: 13, kind: "issue", state: "OPEN", title: draft.title, ...fields });
      expect(await tracker.get("issue", 13)).toEqual(created);
      expect(created.labels).toEqual(["bug", "新"]);
      expect(created.body.startsWith("# A\n\n- b")).toBe(true);
      expect(Date.parse(created.created_at)).not.toBeNaN();
      expect(created.url).not.toBe("");
    });

    test("issues created at once have different numbers", async () => {
      const tracker = await plainly(make, []);
      const drafts = Array.from({ length: 8 }, (_, index) => ({
        title: `${index}`,
        body: "",
        labels: [],
        blocked_by: [],
      }));

      const created = await Promise.all(drafts.map((draft) => tracker.create(draft)));

      expect(created.map(({ number }) => number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(created.map(({ title }) => title)).toEqual(drafts.map(({ title }) => title));
    });

    test.each([issue, pr])("a comment on $kind #$number is made once a marker", async (item) => {
      const tracker = await plainly(make, [item]);
      const comment = (body: string, marker: string) => tracker.comment(item.number, { body, marker });

      await comment("Done.\n\n--\nSee <!-- this -->", "task/1 -- closed -->");
      await comment("Done, again.", "task/1 -- closed -->");
      await comment("Done.", "task/1 -- closed");
      await comment("Done.", "task/1");

      const bodies = (await tracker.comments(item.number)).map(({ body }) => body);
      expect(bodies).toEqual(["Done.\n\n--\nSee <!-- this -->", "Done.", "Done."]);
    });
  });
}

const work = { title: "Fix it", body: "It works now.", head: "feature/issue-12", base: "main", draft: true };

function publishingContract(name: string, make: MakeTracker): void {
  describe(`${name} publishes:`, () => {
    test("a pull request is opened once a branch", async () => {
      const tracker = await plainly(make, [issue]);
      expect(await tracker.findPullRequest(work.head)).toBeUndefined();

      const opened = await tracker.openPullRequest(work);
      const again = await tracker.openPullRequest({ ...work, title: "Another title" });

      expect(opened).toMatchObject({ ...work, kind: "pr", number: 13, state: "OPEN" });
      expect(again).toEqual(opened);
      expect(await tracker.findPullRequest(work.head)).toEqual(opened);
      expect(await tracker.get("pr", 13)).toMatchObject({ title: "Fix it", state: "OPEN" });
      expect(await tracker.list(everything)).toHaveLength(1);
    });

    test("a branch whose pull request was closed gets a new one, which is found first", async () => {
      const tracker = await plainly(make, [issue]);
      await tracker.openPullRequest(work);
      await tracker.close("pr", 13);
      expect(await tracker.findPullRequest(work.head)).toMatchObject({ number: 13, state: "CLOSED" });

      const second = await tracker.openPullRequest({ ...work, draft: false });

      expect(second).toMatchObject({ number: 14, draft: false });
      expect(await tracker.findPullRequest(work.head)).toMatchObject({ number: 14 });
    });

    test.each([
      [true, "Closes #12"],
      [false, "Refs #12"],
    ])("a link names the issue in the pull request, once (closes: %s)", async (closes, line) => {
      const tracker = await plainly(make, [issue]);
      const { number } = await tracker.openPullRequest(work);

      await tracker.link({ issue: 12, pull_request: number, closes });
      await tracker.link({ issue: 12, pull_request: number, closes });

      expect((await tracker.get("pr", number)).body).toBe(`It works now.\n\n${line}`);
      expect(await tracker.get("issue", 12)).toEqual(same(issue));
    });

    test("a label is created once, and changed where it differs", async () => {
      const tracker = await plainly(make, []);
      const blocked = { name: "状態: blocked", color: "b60205", description: "It waits." };

      await tracker.saveLabel(blocked);
      await tracker.saveLabel({ ...blocked, name: blocked.name.toUpperCase() });
      await tracker.saveLabel({ name: "plain", color: "0e8a16" });
      expect(await tracker.labels()).toEqual([blocked, { name: "plain", color: "0e8a16" }]);

      await tracker.saveLabel({ ...blocked, color: "ffffff" });
      expect(await tracker.labels()).toContainEqual({ ...blocked, color: "ffffff" });
    });

    test("a release is published once a tag", async () => {
      const tracker = await plainly(make, []);
      const draft = { tag: "v1.0.0/beta", title: "First", body: "All of it.", target: "main" };

      const published = await tracker.release(draft);
      const again = await tracker.release({ ...draft, title: "Second" });

      expect(published).toMatchObject({ tag: "v1.0.0/beta", title: "First", body: "All of it." });
      expect(again).toEqual(published);
    });
  });
}

import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolderTracker } from "../../../src/connection/trackers/folder/folder-tracker.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { type Uncancelled, uncancelled } from "../../support/uncancelled.ts";

interface Folder {
  tracker: Uncancelled;
  read(): Promise<string>;
  path: string;
}

async function folder(text: string): Promise<Folder> {
  const path = await temporaryDirectory();
  await writeFile(join(path, "1.md"), text);
  return { tracker: uncancelled(createFolderTracker(path)), read: () => readFile(join(path, "1.md"), "utf8"), path };
}

test("a change leaves everything else in the file as its author wrote it", async () => {
  const { tracker, read, path } = await folder(
    "---\n# mine\ntitle: 'A: b'\nassignee: me\nstate: OPEN # for now\nlabels: [a, b]\n---\n\n# Body\n\n---\n\nend\n",
  );

  await tracker.close("issue", 1);

  expect(await read()).toBe(
    "---\n# mine\ntitle: 'A: b'\nassignee: me\nstate: CLOSED # for now\nlabels: [ a, b ]\n---\n\n# Body\n\n---\n\nend\n",
  );
  expect(await readdir(path)).toEqual(["1.md"]);
});

test("a change without effect writes nothing", async () => {
  const text = "---\nstate:   closed\nlabels: [a]\n---\nBody";
  const { tracker, read } = await folder(text);

  await tracker.close("issue", 1);
  await tracker.label(1, { add: ["a"], remove: ["b"] });

  expect(await read()).toBe(text);
});

test.each([
  ["nothing but a text", "Just words.\n", { state: "OPEN", kind: "issue", labels: [] }],
  ["lines as Windows ends them", "---\r\ntitle: T\r\nstate: closed\r\n---\r\nBody\r\n", { state: "CLOSED" }],
  ["a byte order mark", "\uFEFF---\nstate: closed\n---\nBody", { state: "CLOSED" }],
  ["an empty frontmatter", "---\n---\nBody", { state: "OPEN", labels: [] }],
  ["no body", "---\nstate: closed\n---", { state: "CLOSED" }],
  ["values of other types", "---\ntitle: 2026\nlabels: [1, a]\n---\n", { labels: ["1", "a"] }],
  ["no labels", "---\nlabels:\n---\n", { labels: [] }],
])("a file with %s is an issue", async (_what, text, item) => {
  const { tracker } = await folder(text);

  expect(await tracker.get("issue", 1)).toMatchObject(item);
});

test("a file without frontmatter gets one when it is changed", async () => {
  const { tracker, read } = await folder("Just words.\n");

  await tracker.label(1, { add: ["seen"], remove: [] });

  expect(await read()).toBe("---\nlabels:\n  - seen\n---\nJust words.\n");
});

test.each([
  ["---\ntitle: [\n---\n", "not valid YAML"],
  ["---\nstate: DONE\n---\n", "state"],
  ["---\nlabels: a, b\n---\n", "labels"],
  ["---\n- a\n---\n", "frontmatter"],
])("a file with impossible values is named: %j", async (text, problem) => {
  const { tracker, read } = await folder(text);

  await expect(tracker.close("issue", 1)).rejects.toMatchObject({
    code: "tracker_failed",
    details: { what: saying("close issue #1"), problem: saying(problem) },
  });
  expect(await read()).toBe(text);
});

test("after a failed change the next one is made", async () => {
  const { tracker } = await folder("---\ntitle: T\n---\n");

  const failed = tracker.close("issue", 2);
  const made = tracker.close("issue", 1);

  await expect(failed).rejects.toMatchObject({ details: { problem: saying("2.md does not exist") } });
  await expect(made).resolves.toBeUndefined();
});

test("a created issue is a file that people can read and write", async () => {
  const path = join(await temporaryDirectory(), "issues");
  const tracker = uncancelled(createFolderTracker(path));

  await tracker.create({ title: "Fix: it", body: "Now.", labels: ["bug"], priority: "high", blocked_by: [3] });
  await tracker.comment(1, { body: "Seen.", marker: "m" });

  expect(await readFile(join(path, "1.md"), "utf8")).toMatch(
    /^---\ntitle: "Fix: it"\nstate: OPEN\nlabels:\n {2}- bug\npriority: high\nblocked_by:\n {2}- 3\ncreated_at: \S+\n---\n\nNow\.\n$/,
  );
  expect(await readFile(join(path, "1.comments", "1.md"), "utf8")).toContain("\nSeen.\n\n<!-- e8: m -->\n");
  expect((await readdir(path)).sort()).toEqual(["1.comments", "1.md"]);
});

test.each([
  ["title: T", "Heading", "T"],
  ["state: open", "\n# Heading\n\ntext", "Heading"],
  ["state: open", "", "#1"],
])("the title of an issue with %j and %j", async (yaml, body, title) => {
  const { tracker } = await folder(`---\n${yaml}\n---\n${body}`);

  expect((await tracker.get("issue", 1)).title).toBe(title);
});

test("a list names the file that cannot be used", async () => {
  const { tracker, path } = await folder("---\nstate: DONE\n---\n");
  await writeFile(join(path, "2.md"), "fine");

  await expect(tracker.list({ state: "all", labels: [], limit: 9 })).rejects.toMatchObject({
    details: { what: saying("#1"), problem: saying("state") },
  });
});

test("a lock that a killed process left is taken over", async () => {
  const { tracker, path } = await folder("---\ntitle: T\n---\n");
  const holder = { pid: 999_999_999, host: hostname(), boot_id: "x", started: "x", token: "ab", since: "2026-01-01" };
  await writeFile(join(path, ".lock"), JSON.stringify(holder));

  await tracker.close("issue", 1);

  expect(await readdir(path)).toEqual(["1.md"]);
});

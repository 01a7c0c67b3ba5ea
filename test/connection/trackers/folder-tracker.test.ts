import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolderTracker } from "../../../src/connection/trackers/folder-tracker.ts";
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

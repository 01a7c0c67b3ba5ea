import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportData } from "../../src/model/dashboard.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";

const WORKER = "if grep -q one a.txt; then echo two > a.txt; else echo '</script>one' > a.txt; fi";

/** Two iterations; the first fails its check. */
async function twoIterations() {
  const box = await quickSandbox();
  await git(box.project, "init", "-q");
  await write(box.project, { "a.txt": "start\n" });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const { code } = await box.e8(["run", "Write two", "--agent-command", WORKER, "--check", "grep two a.txt", "--json"]);
  expect(code).toBe(0);
  return box;
}

test("report writes one file that holds criteria, evidence, timeline and changes, and names nothing outside it", async () => {
  const box = await twoIterations();

  const { code, stderr } = await box.e8(["report", "-o", "run.html"]);

  expect(code, stderr).toBe(0);
  expect(stderr).toContain("run.html");
  const page = await readFile(join(box.project, "run.html"), "utf8");
  const [, json = ""] = /<script type="application\/json" id="report">([\s\S]*?)<\/script>/.exec(page) ?? [];
  const data: ReportData = JSON.parse(json);
  expect(data.view.rows[0]?.cells.map(({ is_met }) => is_met)).toEqual([false, true]);
  expect(data.view.timeline.map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(data.evidence.map(({ iteration, is_met }) => [iteration, is_met])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(data.diffs.map(({ from, to }) => `${from}..${to}`)).toEqual(["0..2", "1..2", "0..1"]);
  expect(data.diffs[2]?.diff).toContain("+</script>one");
  expect(page).toContain("default-src 'none'");
  expect(page.replace(json, "")).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)=/);
});

test("report goes to standard output, as a page or as a comment, in the language that is asked for", async () => {
  const box = await twoIterations();

  expect((await box.e8(["report", "-o", "-"])).stdout).toMatch(/^<!doctype html>/);
  expect((await box.e8(["report", "--md"])).stdout).toMatch(/^## ⚠️ Done, without a proof/);
  expect((await box.e8(["report", "--md", "--lang", "ja"])).stdout).toContain("証明");
  await box.e8(["report", "--md", "-o", "comment.md"]);
  expect(await readFile(join(box.project, "comment.md"), "utf8")).toContain("a.txt");
});

test("a report leaves the machine, so a secret of the project is not in it, not even in the changes", async () => {
  const box = await quickSandbox();
  await git(box.project, "init", "-q");
  await write(box.project, { "a.txt": "start\n", ".env": "SHOP_API_TOKEN=planted-value-4711-do-not-tell\n" });
  const worker = "cp .env copied.txt";
  await box.e8(["run", "Copy it", "--agent-command", worker, "--check", "test -f copied.txt", "--json"]);

  const { stdout } = await box.e8(["report", "-o", "-"]);

  expect(stdout).not.toContain("planted-value-4711");
  expect(stdout).toContain("[redacted: SHOP_API_TOKEN]");
});

test("a task that is not there has no report", async () => {
  const box = await quickSandbox();

  expect(await box.e8(["report", "2026-01-01T00-00-00", "--md"])).toMatchObject({ code: 2, stdout: "" });
});

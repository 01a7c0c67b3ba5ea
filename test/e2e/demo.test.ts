import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { loadStory } from "../../src/connection/agents/scripted/model/load-story.ts";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { programsDashboard } from "../support/dashboard.ts";
import { git } from "../support/repository.ts";
import { sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

test("e8 demo: the first worker claims to be done, its check fails; the second succeeds; the user sees why and where", async () => {
  const { e8, model, project: here } = await sandbox();

  const { code, stdout, stderr } = await e8(["demo"]);

  expect(code, stderr).toBe(0);
  expect(model.requests).toHaveLength(0); // nothing of the user's own settings or keys reaches it
  expect(stderr).toMatch(/model is scripted/);
  const [claim, failure, success] = [
    stderr.indexOf("All done!"),
    stderr.indexOf("✘ not met  2."),
    stderr.indexOf("✔ met  2."),
  ];
  expect(claim).toBeGreaterThan(0);
  expect(failure).toBeGreaterThan(claim);
  expect(success).toBeGreaterThan(failure);
  expect(stdout).toMatch(/^completed: every criterion is met/m);
  expect(stdout).toMatch(/✔ met {2}2\. all tests pass\n +exit code 0/);
  expect(stdout).not.toContain("$"); // Claude Code calculates a cost, but a scripted model has none
  const project = /project: (.*)/.exec(stderr)?.[1] ?? "";
  const records = resolve(here, /records: (.*)/.exec(stdout)?.[1] ?? "");
  expect((await readFile(records, "utf8")).trim().split("\n")).toHaveLength(6);
  expect(stdout).toMatch(/^proof: the checks ran again in a clean checkout of [0-9a-f]{10}$/m);
  expect(await readFile(join(project, "cart.js"), "utf8")).toContain("count >= 10");
  const { script } = JSON.parse(await readFile(join(records, "../task.json"), "utf8"));
  expect(loadStory(await readFile(script, "utf8"), script).scenes.length).toBeGreaterThan(0); // for whoever resumes it
  const logs = await e8(["logs", "-p", project]);
  expect(logs.stdout).toContain("All done!"); // what the agents said can be read afterwards
});

describe("e8 demo --dashboard", () => {
  test.each([
    [["--no-open"], false],
    [[], true],
  ])(
    "%j: its run is live on the page, which stays when it has ended until Ctrl-C; the browser is opened: %s",
    async (words, isOpened) => {
      const box = await sandbox();
      const opener = join(box.home, "bin", "xdg-open");
      await mkdir(dirname(opener));
      await writeFile(opener, `#!/bin/sh\necho "$1" > '${box.home}/opened'\n`, { mode: 0o755 });
      const env = { PATH: `${dirname(opener)}:${box.env.PATH}` };

      const page = await programsDashboard(box.start(["demo", "--dashboard", ...words], { env }));
      const statuses = async () =>
        (JSON.parse((await page.get("/api/tasks")).text) as TaskRow[]).map(({ status }) => status);
      await vi.waitFor(async () => expect(await statuses()).toEqual(["running"]), { timeout: 60_000 });
      const [row] = JSON.parse((await page.get("/api/tasks")).text) as TaskRow[];
      const refused = await page.post(`/api/tasks/${row?.project}/${row?.task_id}`, { do: "cancel" });
      await vi.waitFor(async () => expect(await statuses()).toEqual(["completed"]), { timeout: 60_000, interval: 100 });
      page.child.kill("SIGINT");
      const { code, stdout } = await page.ended;

      expect(page.url.hash).toBe("#/latest");
      expect(refused.status).toBe(403);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^completed: every criterion is met/m)]);
      expect(existsSync(join(box.home, "opened"))).toBe(isOpened);
    },
  );
});

describe("e8 demo --backlog", () => {
  test("three issues end merged one after the other; the one with the conflict takes a second worker", async () => {
    const { e8, model } = await sandbox();

    const { code, stdout, stderr } = await e8(["demo", "--backlog"]);

    expect(code, stderr).toBe(0);
    expect(model.requests).toHaveLength(0);
    expect(stderr).toMatch(/^#[12] merging main gives conflicts in CHANGELOG\.md; the next worker settles them$/m);
    expect(stderr).toMatch(/^#[12] iteration 2 of 10$/m);
    for (const issue of [1, 2, 3]) expect(stdout).toMatch(new RegExp(`^${issue} +merged `, "m"));
    expect(stdout + stderr).not.toContain("$"); // a scripted model has no cost
    const project = /project: (.*)/.exec(stderr)?.[1] ?? "";
    const subjects = (await git(project, "log", "--first-parent", "--format=%s", "main")).trim().split("\n");
    expect(subjects.slice(0, 3).sort()).toEqual([1, 2, 3].map((issue) => `Merge feature/issue-${issue} into main`));
    for (const subject of subjects.slice(0, 3)) expect(stderr).toContain(subject);
    expect(await git(project, "show", "main:CHANGELOG.md")).toMatch(/^- Totals [^\n]*\n- Prices /m);
    expect((await git(project, "branch", "--show-current")).trim()).toBe("yours");
    expect(await git(project, "status", "--porcelain")).toBe("");
  });

  test.skipIf(!hasTmux)(
    "the live view has a line for each issue, in Japanese, too, and leaves none behind",
    async () => {
      const terminal = await openTerminal(await sandbox(), ["demo", "--backlog", "--lang", "ja"], { columns: 120 });

      await terminal.shows(/^イシュー {2}現在 +/m);
      await terminal.shows(/^#1 +作業中 +1 +0\/2 +/m);
      await terminal.shows("exit code 0");

      const everything = await terminal.scrollback();
      expect(everything).toMatch(/^#[12] .*CHANGELOG\.md で競合/m);
      expect(everything).toContain("3 件中 3 件のイシューが完了しました");
      expect(everything).not.toContain("イシュー  現在");
    },
  );
});

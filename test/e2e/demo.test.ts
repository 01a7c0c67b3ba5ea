import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadStory } from "../../src/connection/agents/scripted/model/load-story.ts";
import { sandbox } from "../support/sandbox.ts";

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

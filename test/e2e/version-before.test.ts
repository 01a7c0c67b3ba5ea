import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { answer, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import type { HistoryRecord, Judgment } from "../../src/model/records.ts";
import { says } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { accepts, judges, summarizes, works } from "../support/stories.ts";

/** See the README there. */
const FIXTURE = fileURLToPath(new URL("../fixtures/tasks-0.1/", import.meta.url));
const SAID: Record<string, Said> = JSON.parse(await readFile(join(FIXTURE, "said.json"), "utf8"));
const NAMES = Object.keys(SAID);

/** What the version before said of a task. */
interface Said {
  listed: { task_id: string; status: string; stop_reason: string | null; task: string } & Record<string, unknown>;
  quoted: string[];
}

describe("a folder of tasks that the version before wrote", () => {
  test("`list` shows them with the same status, iterations, criteria, cost and stop reason", async () => {
    const box = await oldProject();

    const listed = JSON.parse(await out(box, "list", "--json")) as Said["listed"][];
    const rows = (await out(box, "list")).split("\n");

    expect(listed).toMatchObject(NAMES.map((name) => SAID[name]?.listed));
    for (const { task_id, task, iterations, max_iterations } of listed)
      expect(rows.find((row) => row.startsWith(task_id))).toMatch(
        new RegExp(` ${iterations}/${max_iterations} .*${task}$`),
      );
  });

  test("`show` shows every record as it was, and quotes what it quoted", async () => {
    const box = await oldProject();

    for (const name of NAMES) {
      const { listed, quoted } = said(name);
      const shown = JSON.parse(await out(box, "show", listed.task_id, "--json"));
      expect(shown, name).toMatchObject({ status: listed.status, usage: listed.usage });
      expect(shown.records.map(factsOf), name).toEqual((await stored(name)).map(factsOf));
      const text = await out(box, "show", listed.task_id);
      const missing = quoted.filter((words) => !text.includes(words));
      expect(missing, `${name}\n${text}`).toEqual([]);
    }
  });

  test("`show` keeps evidence as it is in Japanese, too, whatever language it was recorded in", async () => {
    const box = await oldProject();
    const shown = (name: string) => out(box, "--lang", "ja", "show", idOf(name));

    expect(await shown("crashed")).toMatch(/exited with code 7|終了コード 7/);
    expect(await shown("crashed")).toContain("the disk is on fire");
    expect(await shown("greeting")).toContain("greeting.txt reads Hello");
    expect(await shown("japanese")).toMatch(/「うーん」は挨拶ではない[\s\S]*「こんにちは」とある/);
    expect(await shown("limit")).toMatch(/\n +3999\n +4000\n/);
  });

  test("`query` answers from tasks, history and knowledge", async () => {
    const box = await oldProject();
    const ask = async (sql: string) => JSON.parse(await out(box, "query", sql, "--json"));

    expect(await ask("select task_id, status, stop_reason, criteria_met from tasks order by task_id")).toEqual(
      NAMES.map((name) => {
        const { task_id, status, stop_reason, criteria_met } = said(name).listed;
        return { task_id, status, stop_reason, criteria_met };
      }),
    );
    const unmet = "select e.evidence as evidence from history, unnest(evaluations) as t(e)";
    expect(await ask(`${unmet} where task_id = '${idOf("greeting")}' and not e.is_met order by e.id`)).toMatchObject([
      { evidence: "hm is no greeting [… cut …] says the judge" },
      { evidence: expect.stringContaining("log: [… cut …] and on") },
    ]);
    expect(
      await ask("select step_id, intent from history where type = 'judgment' and next_step = 'closure.task'"),
    ).toContainEqual({ step_id: "initial.task", intent: "next" });
    expect(await ask("select error_code from history where error_code is not null order by error_code")).toEqual(
      ["agent_configuration", "authentication", "tracker_failed"].map((error_code) => ({ error_code })),
    );
    expect(await ask("select content from knowledge order by content")).toContainEqual({
      content: "greeting.txt is plain text",
    });
  });

  test("`knowledge` and `logs` read what it kept", async () => {
    const box = await oldProject();

    expect(await out(box, "knowledge", "list")).toMatch(/high +discovery +files +greeting\.txt is plain text +3 /);
    expect(await out(box, "knowledge", "search", "UTF-8")).toContain("aisatsu.txt は UTF-8 で書く");
    expect(await out(box, "logs", idOf("greeting"))).toMatch(
      /^intake\n[\s\S]*^iteration 1, executor\n[\s\S]*→ Write: greeting\.txt\n[\s\S]*^iteration 2, judge\n/m,
    );
    expect(await out(box, "logs", idOf("killed"))).toBe(
      "iteration 1, executor\n  first\niteration 2, executor\n  waiting\n",
    );
  });
});

describe("a task of the version before", () => {
  test.for([
    { name: "cancelled", iterations: 1 },
    { name: "killed", iterations: 2 },
    { name: "limit", args: ["-n", "3"], iterations: 3 },
    { name: "crashed", args: ["-n", "2"], iterations: 2 },
    { name: "stalled", iterations: 3 },
    { name: "out-of-time", args: ["--max-time", "10m"], iterations: 2 },
    { name: "misconfigured", args: ["--agent-command", "touch misconfigured.txt; echo made it"], iterations: 1 },
    { name: "logged-out", args: ["--agent-command", "touch logged-out.txt; echo made it"], iterations: 1 },
  ])("that ended as $name is resumed to its end", async ({ name, args = [], iterations }) => {
    const box = await oldProject();
    await box.write("go", "");

    const ended = await box.e8(["run", "--resume", idOf(name), ...args, "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: iterations, task_id: idOf(name) });
    const [old, all] = [await stored(name), await box.records(idOf(name))];
    expect(all.slice(0, old.length)).toEqual(old);
    expect(await out(box, "show", idOf(name))).toContain(said(name).listed.task);
  });

  test("that completed stays as it is", async () => {
    const box = await oldProject();

    const ended = await box.e8(["run", "--resume", idOf("greeting"), "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(await box.records(idOf("greeting"))).toEqual(await stored("greeting"));
  });

  test("that was cut off between verdict and ending is judged again, and takes no worker to complete", async () => {
    const box = await oldProject();

    const ended = await box.e8(["run", "--resume", idOf("unended"), "--agent-command", "exit 1", "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    const types = (await box.records(idOf("unended"))).map(({ type }) => type);
    expect(types).toEqual(["summary", "judgment", "judgment", "final_result"]);
  });

  test("that was killed before the judge answered is judged, and not worked on again", async () => {
    const box = await oldProject(story(judges(true, [{ id: 1, is_met: true }])));

    const ended = await box.e8(["run", "--resume", idOf("unjudged"), "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
  });

  test("that had open questions goes on with their answers", async () => {
    const goesOn = [accepts("it is fast enough"), works("made it fast"), summarizes("made it fast")];
    const box = await oldProject(story(...goesOn, judges(true, [{ id: 1, is_met: true }])));

    const ended = await box.e8(["answer", idOf("unclear"), "-a", "under one second", "-a", "mine", "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    const asked = JSON.stringify(box.model.requests.find(({ who }) => who === "intake")?.body);
    expect(asked).toContain("under one second");
  });

  test("whose issue was being closed closes it, and repeats no step", async () => {
    const box = await oldProject();

    const ended = await box.e8(["run", "--resume", idOf("flow-begun"), "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(await box.read(".e8/issues/8.md")).toMatch(/labels:\s+- bug\s+- done\s+state: CLOSED/);
  });

  test("whose issue is closed leaves it alone", async () => {
    const box = await oldProject();
    const issue = await box.read(".e8/issues/7.md");

    const ended = await box.e8(["run", "--resume", idOf("flow"), "--json"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 4 });
    expect(await box.read(".e8/issues/7.md")).toBe(issue);
  });

  test("that was killed at its second step goes on there, with the handoff of the first", async () => {
    const box = await oldProject(story(scene("closure.task", answer(says("closing")))));

    const ended = await box.e8(["run", "--resume", idOf("flow-killed"), "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(await box.read(".e8/issues/9.md")).toContain("state: CLOSED");
  });
});

/** A sandbox whose project is the fixture, with the locks of processes that were killed on this machine. */
async function oldProject(theStory?: Story): Promise<Sandbox> {
  const box = await quickSandbox(theStory);
  await cp(join(FIXTURE, "project"), box.project, { recursive: true });
  for (const id of await readdir(join(box.project, ".e8/tasks"))) {
    const lock = join(box.project, ".e8/tasks", id, "lock");
    const text = await readFile(lock, "utf8").catch(() => undefined);
    if (text) await writeFile(lock, text.replace('"HOST"', JSON.stringify(hostname())));
  }
  return box;
}

function said(name: string): Said {
  const found = SAID[name];
  if (!found) throw new Error(`The fixture has no task ${name}.`);
  return found;
}

function idOf(name: string): string {
  return said(name).listed.task_id;
}

async function stored(name: string): Promise<HistoryRecord[]> {
  const text = await readFile(join(FIXTURE, "project/.e8/tasks", idOf(name), "history.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function out(box: Sandbox, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await box.e8(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** What a record says happened, without what later versions add. */
function factsOf(record: HistoryRecord): unknown {
  if (record.type === "summary") {
    const { iteration, result, approach, reason, artifacts, metadata, flow } = record;
    return { iteration, result, approach, reason, artifacts, metadata, flow };
  }
  if (record.type === "judgment") return { iteration: record.iteration, flow: record.flow, ...verdictOf(record) };
  if (record.type !== "final_result") return record;
  const {
    final_judgment,
    usage,
    timestamp,
    hint: _advice,
    changed_files,
    change_totals,
    proof,
    landing,
    ...result
  } = record;
  return { ...result, judgment: final_judgment && verdictOf(final_judgment) };
}

function verdictOf({ is_complete, evaluations, overall_reason, suggested_next_action }: Judgment): object {
  const facts = evaluations.map(({ id, criterion, is_met, evidence, confidence, source }) => ({
    ...{ id, criterion, is_met, evidence, confidence, source },
  }));
  return { is_complete, overall_reason, suggested_next_action, evaluations: facts };
}

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene } from "../../src/connection/agents/scripted/model/story.ts";
import { sandbox } from "../support/sandbox.ts";
import { accepts, always, asks } from "../support/stories.ts";

interface Measured {
  expected: "asked" | "accepted";
  task: string;
  criterion: string;
}

const SCRIPTS = new URL("../../scripts/", import.meta.url);
const CRITERIA: Measured[] = JSON.parse(await readFile(new URL("intake-criteria.json", SCRIPTS), "utf8"));
const AMBIGUOUS = CRITERIA.filter(({ expected }) => expected === "asked");
const CLEAR = CRITERIA.filter(({ expected }) => expected === "accepted");

test("[SC-004] twenty ambiguous and twenty clear criteria are measured, each with words of its own", () => {
  expect([AMBIGUOUS, CLEAR].map(({ length }) => length)).toEqual([20, 20]);
  expect(new Set(CRITERIA.map(({ task }) => task)).size).toBe(40);
  expect(new Set(CRITERIA.map(({ criterion }) => criterion)).size).toBe(40);
});

describe("[SC-004] the measurement of the intake", () => {
  test("shows each criterion with what was expected and found, and succeeds when 90 % of both are right", async () => {
    const { code, stdout } = await measured({ accepted: AMBIGUOUS.slice(0, 2), asked: CLEAR.slice(0, 2) });

    expect(stdout).toMatch(/^asked {5}accepted {3}WRONG {3}Speed up the search: it is fast enough$/m);
    expect(stdout).toMatch(
      /^asked {5}asked {6}right {3}検索を速くする: 十分に高速になったら完了\n +\? What does that mean\?$/m,
    );
    expect(stdout).toMatch(/^accepted {2}accepted {3}right {3}型エラーをなくす: /m);
    expect(stdout).toMatch(/^accepted {2}asked {6}WRONG {3}Speed up `npm run search`: /m);
    expect(stdout.match(/ (right|WRONG) /g)).toHaveLength(40);
    expect(stdout).toMatch(/^ambiguous criteria, asked about: 18 of 20 \(90 %, at least 90 %: reached\)$/m);
    expect(stdout).toMatch(/^clear criteria, accepted: 18 of 20 \(90 %, at least 90 %: reached\)$/m);
    expect(code).toBe(0);
  });

  test.each([
    { name: "too few ambiguous ones are asked about", wrong: { accepted: AMBIGUOUS.slice(0, 1), asked: [] } },
    { name: "too many clear ones are asked about", wrong: { accepted: [], asked: CLEAR.slice(0, 1) } },
  ])("fails when $name; the criteria may be those of another file", async ({ wrong }) => {
    const { code, stdout } = await measured(wrong, [...AMBIGUOUS.slice(0, 3), ...CLEAR.slice(0, 3)]);
    expect(stdout).toMatch(/: 2 of 3 \(67 %, at least 90 %: MISSED\)$/m);
    expect(stdout).toMatch(/: 3 of 3 \(100 %, at least 90 %: reached\)$/m);
    expect(code).toBe(1);
  });

  test("has no result when the model cannot be asked", async () => {
    const { code, stdout, stderr } = await measuredWith([always(scene("intake", fault({ status: 401 })))]);
    expect(stdout).not.toContain("of 20");
    expect(stderr).not.toBe("");
    expect(code).toBe(2);
  });
});

/** Measures a model that is right but for these. */
function measured({ accepted, asked }: Record<"accepted" | "asked", Measured[]>, criteria?: Measured[]) {
  const clear = [...CLEAR.filter((one) => !asked.includes(one)), ...accepted];
  const scenes = clear.map(({ task, criterion }) => ({ ...accepts(criterion), when: `# Task\n\n${task}\n` }));
  return measuredWith([...scenes, always(asks({ question: "What does that mean?" }))], criteria);
}

/** Over the API: the measurement is the same, and forty Claude Codes need not be started. */
async function measuredWith(scenes: Scene[], criteria?: Measured[]) {
  const { env, model, project, write } = await sandbox(story(...scenes));
  if (criteria) await write("criteria.json", JSON.stringify(criteria));
  const script = fileURLToPath(new URL("measure-intake.mjs", SCRIPTS));
  const environment = { ...env, ENDLESS8_DEFAULT_MODEL: `openai-compatible:some-model@${model.url}/v1` };
  const files = criteria ? [join(project, "criteria.json")] : [];
  const ended = await promisify(execFile)(process.execPath, [script, ...files], { env: environment }).catch(
    (error) => error,
  );
  return { code: ended.code ?? 0, stdout: String(ended.stdout), stderr: String(ended.stderr) };
}

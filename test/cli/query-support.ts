import { expect } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import type { Ended, Sandbox } from "../support/sandbox.ts";
import { knowledge, spending, summary } from "../support/stored.ts";
import { ended, judged, store } from "./support.ts";

export const FIRST = "2026-01-23T10-00-00";
export const SECOND = "2026-01-23T10-00-00-2";
export const FLOW = "2026-01-24T08-00-00";

export async function filled(): Promise<Sandbox> {
  const box = await quickSandbox();
  await store(box.project, FIRST, {
    records: [
      summary(1, { result: "failure", reason: 'with "quotes", a comma\nand lines' }),
      judged(1, [false, true]),
      summary(2, { artifacts: ["src/数.ts"] }),
      judged(2, [true, true]),
      ended(FIRST, { iterations_used: 2 }),
    ],
    spending: [spending(1), spending(2)],
    knowledge: [knowledge("tests need a database", { confidence: "high" })],
  });
  await store(box.project, SECOND, {
    configuration: { task: "日本語のタスク" },
    records: [summary(1, { metadata: { ...summary(1).metadata, files_modified: ["src/main.py"] } })],
  });
  await store(box.project, FLOW, {
    task: { flow: { name: "releaser", directory: ".agent/releaser", parameters: {}, stdin: "" } },
    configuration: { criteria: [] },
    records: [summary(1, { flow: { step_id: "plan", output: {}, text: "", deviations: [] } })],
  });
  return box;
}

export async function rows(box: Sandbox, sql: string): Promise<unknown> {
  const { code, stdout, stderr } = await box.e8(["query", sql, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

export function refused({ code, stdout, stderr }: Ended, problem: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(problem);
  expect(stderr.match(/^error:/gm)).toHaveLength(1);
  expect(stderr).toMatch(/^next: /m);
  expect(stderr).not.toMatch(/internal|inside endless8|secret/);
}

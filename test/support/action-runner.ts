import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Step {
  id?: string;
  if?: string;
  run: string;
  shell: string;
  env?: Record<string, string>;
}

export interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

export interface ActionCall {
  inputs: Record<string, string>;
  /** The name of the event and its payload. */
  event: [string, object];
  project: string;
  /** A directory for what a runner keeps. */
  temporary: string;
  env: Record<string, string | undefined>;
}

export interface ActionEnd {
  /** Of the step that failed; 0 where none did. */
  code: number;
  outputs: Record<string, string>;
  summary: string;
  log: string;
}

export async function readAction(): Promise<Action> {
  return parse(await readFile(join(ROOT, "action.yml"), "utf8"));
}

/** Runs the steps of action.yml as GitHub's runner does: with bash, one after the other, outputs in a file. */
export async function runAction({ inputs, event, project, temporary, env }: ActionCall): Promise<ActionEnd> {
  const action = await readAction();
  const [summary, payload] = [join(temporary, "summary.md"), join(temporary, "event.json")];
  await mkdir(temporary, { recursive: true });
  await Promise.all([writeFile(summary, ""), writeFile(payload, JSON.stringify(event[1]))]);
  const outer = {
    ...env,
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_EVENT_NAME: event[0],
    GITHUB_EVENT_PATH: payload,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temporary,
  };
  const known: Known = { inputs: {}, steps: {}, github: { token: env.GITHUB_TOKEN ?? "" } };
  for (const [name, input] of Object.entries(action.inputs))
    known.inputs[name] = inputs[name] ?? filled(input.default, known);
  let [code, log] = [0, ""];
  for (const [number, step] of action.runs.steps.entries()) {
    if (!isWanted(step, known, code)) continue;
    const file = join(temporary, `output-${number}`);
    await writeFile(file, "");
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, known)]);
    const ended = await bash(step.run, project, { ...outer, ...Object.fromEntries(own), GITHUB_OUTPUT: file });
    log += ended.log;
    code ||= ended.code;
    if (step.id) known.steps[step.id] = outputsIn(await readFile(file, "utf8"));
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value, known)]);
  return { code, outputs: Object.fromEntries(outputs), summary: await readFile(summary, "utf8"), log };
}

interface Known {
  inputs: Record<string, string>;
  steps: Record<string, Record<string, string>>;
  github: Record<string, string>;
}

async function bash(script: string, cwd: string, env: Record<string, string | undefined>) {
  const running = promisify(execFile)("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env });
  const { stdout, stderr, code } = await running.then(
    (ended) => ({ ...ended, code: 0 }),
    (failure: { stdout: string; stderr: string; code: number }) => failure,
  );
  return { code, log: stdout + stderr };
}

/** A step without `always()` is left out once another one has failed. */
function isWanted(step: Step, known: Known, failed: number): boolean {
  const { if: condition = "true" } = step;
  if (failed !== 0 && !condition.includes("always()")) return false;
  return condition.split("&&").every((part) => holds(part.trim(), known));
}

function holds(part: string, known: Known): boolean {
  if (part === "always()" || part === "true") return true;
  const [left = "", right = ""] = part.split("==").map((one) => one.trim());
  return evaluated(left, known) === right.slice(1, -1);
}

function filled(text: string, known: Known): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluated(expression.trim(), known));
}

function evaluated(expression: string, { inputs, steps, github }: Known): string {
  const [kind, name = "", , output = ""] = expression.split(".");
  if (kind === "inputs") return inputs[name] ?? "";
  if (kind === "github") return github[name] ?? "";
  if (kind === "steps") return steps[name]?.[output] ?? "";
  throw new Error(`The runner of the tests does not know ${expression}`);
}

/** `name<<BORDER`, lines, `BORDER`. */
function outputsIn(text: string): Record<string, string> {
  const blocks = text.matchAll(/^([\w-]+)<<(.+)\n([\s\S]*?)\n?^\2$/gm);
  return Object.fromEntries([...blocks].map(([, name = "", , value = ""]) => [name, value]));
}

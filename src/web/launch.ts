import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ActionOutcome, DashboardTask } from "../model/dashboard.ts";
import { E8Error } from "../model/errors.ts";
import { isRecord, jsonIn } from "../model/json.ts";
import type { TaskId } from "../model/task.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { DashboardOptions } from "./options.ts";

/** Longer than a run takes to its first event, unless something is wrong. */
const PATIENCE_MILLISECONDS = 60_000;
const MOST_SAID = 20_000;

interface Launch {
  directory: string;
  words: readonly string[];
  stdin?: string;
}

/** Starts a new task. Its text goes through standard input: a command line has no room for a long one. */
export async function beginTask(
  { directory, task }: { directory: string; task: Omit<DashboardTask, "project"> },
  options: DashboardOptions,
  texts: Texts,
): Promise<ActionOutcome> {
  const words = [
    ...["run", "-"],
    ...task.criteria.map((text) => `--criteria=${text}`),
    ...task.checks.map((command) => `--check=${command}`),
    ...(task.max_iterations === undefined ? [] : [`--max-iterations=${task.max_iterations}`]),
    ...(task.max_cost === undefined ? [] : [`--max-cost=${task.max_cost}`]),
  ];
  const task_id = await launch({ directory, words, stdin: task.task }, options, texts);
  return { said: texts.dashboard.begun(task_id), task_id };
}

/**
 * Starts a run as a process of its own, which goes on when the dashboard ends, and is found again through the store. Resolves to its
 * task once it has told something; throws what has kept it from beginning.
 */
export async function launch(
  { directory, words, stdin = "" }: Launch,
  { program: [command = "", ...before], environment }: DashboardOptions,
  texts: Texts,
): Promise<TaskId> {
  const common = ["--project", directory, "--json-events", "--lang", texts.language];
  const child = spawn(command, [...before, ...words, ...common], {
    cwd: directory,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin.on("error", () => {}); // it may end before it has read all
  child.stdin.end(stdin);
  try {
    return await begun(child, texts);
  } finally {
    // From now on it is on its own; writing to a reader that has left is no error for it.
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}

function begun(child: ChildProcess, texts: Texts): Promise<TaskId> {
  let said = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(problemIn(why, texts));
    };
    const timer = setTimeout(() => fail(said), PATIENCE_MILLISECONDS);
    child.once("error", (error) => fail(error.message));
    child.once("close", () => fail(said));
    child.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-MOST_SAID);
    });
    if (child.stdout)
      createInterface({ input: child.stdout }).once("line", (line) => {
        clearTimeout(timer);
        const first = jsonIn(line);
        if (isRecord(first) && typeof first.task_id === "string") resolve(first.task_id);
        else fail(said);
      });
  });
}

/** Takes apart what the command line says last: `error: …`, then `next: …`. */
function problemIn(said: string, { error, nextStep, labeled }: Texts): E8Error {
  const [start, next] = [labeled(error), labeled(nextStep)];
  const from = said.lastIndexOf(start);
  const whole = from < 0 ? said : said.slice(from + start.length);
  const at = whole.lastIndexOf(next);
  const [problem, hint] = at < 0 ? [whole, ""] : [whole.slice(0, at), whole.slice(at + next.length)];
  return new E8Error("dashboard_run", { problem: problem.trim(), hint: hint.trim() });
}

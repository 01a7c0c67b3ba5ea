import { relative } from "node:path";
import process from "node:process";
import { guessCheck, guessPreparation, makeStarter, requireStarterPlace } from "../../compose/starter.ts";
import { DEFAULTS, MOST_ITERATIONS } from "../../model/limits.ts";
import { asTyped } from "../../model/shell-quotes.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { exitCodes } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";
import { askForText, isTerminal } from "../questions.ts";
import { unfitFlag } from "../run-flags.ts";

interface InitFlags {
  project: string;
  task?: string;
  criteria: string[];
  check: string[];
  maxIterations?: string;
  maxCost?: string;
  force?: boolean;
}

/** Writes a task file: from flags, from answers at a terminal, or from what the project looks like. */
export async function initCommand(file: string, flags: InitFlags, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { project, force = false } = flags;
  await requireStarterPlace({ project, file, force });
  const suggested = suggestion(flags, await guessCheck(project), texts);
  const said = isTerminal() && !saysAnything(flags) ? await askForStarter(suggested, context) : suggested;
  if (!said) {
    output.progress(texts.init.left);
    process.exitCode = exitCodes.cancelled;
    return;
  }
  const prepared = await guessPreparation(project);
  const starter = { ...withExamples(said, texts), prepared };
  const path = await makeStarter({ project, file, force, language: texts.language, ...starter });
  const shown = relative(process.cwd(), path);
  output.result(texts.init.made(shown));
  const command = `e8 run --config ${asTyped(shown)} --dry-run`;
  const open = stillOpen(said);
  output.result(texts.labeled(texts.nextStep, open.length > 0 ? texts.init.fillIn(open, command) : command));
}

/** The keys for which the file has an example only. */
function stillOpen({ task, criteria, checks }: StarterAnswers): string[] {
  return [...(task ? [] : ["task"]), ...(criteria.length + checks.length > 0 ? [] : ["criteria"])];
}

function saysAnything({ task, criteria, check }: InitFlags): boolean {
  return task !== undefined || criteria.length > 0 || check.length > 0;
}

/** A check that the project suggests is taken where no other criterion is given. */
function suggestion(flags: InitFlags, guessed: string | undefined, { values }: Texts): StarterAnswers {
  const { task = "", criteria, check, maxIterations = String(DEFAULTS.max_iterations), maxCost } = flags;
  const isOpen = criteria.length === 0 && check.length === 0;
  return {
    task,
    criteria,
    checks: isOpen && guessed ? [guessed] : check,
    iterations: numberOf("--max-iterations", maxIterations, {
      form: values.between(1, MOST_ITERATIONS),
      isGood: isCount,
    }),
    cost_usd:
      maxCost === undefined
        ? undefined
        : numberOf("--max-cost", maxCost, { form: values.aboveZero, isGood: isAboveZero }),
  };
}

interface NumberRule {
  form: string;
  isGood: (n: number) => boolean;
}

function numberOf(flag: string, text: string, { form, isGood }: NumberRule): number {
  if (text.trim() !== "" && isGood(Number(text))) return Number(text);
  throw unfitFlag({ flag, command: "init" }, text, form);
}

function withExamples({ task, criteria, ...said }: StarterAnswers, { init }: Texts): StarterAnswers {
  const isOpen = criteria.length === 0 && said.checks.length === 0;
  return { ...said, task: task || init.exampleTask, criteria: isOpen ? [init.exampleCriterion] : criteria };
}

export interface StarterAnswers {
  task: string;
  criteria: readonly string[];
  checks: readonly string[];
  iterations: number;
  cost_usd: number | undefined;
}

/** Asks for what a task file needs. Undefined when the user leaves. */
export async function askForStarter(
  suggested: StarterAnswers,
  { texts }: CliContext,
): Promise<StarterAnswers | undefined> {
  const { init } = texts;
  const ask = async (message: string, preset = "", problemOf?: (typed: string) => string | undefined) => {
    const typed = await askForText({ message, suggested: preset, ...(problemOf && { problemOf }) }, texts);
    if (typed === undefined) throw LEFT;
    return typed;
  };
  const number = (isGood: (n: number) => boolean) => (typed: string) =>
    typed === "" || isGood(Number(typed)) ? undefined : texts.labeled(init.wrong, typed);
  try {
    return {
      task: await ask(init.task, suggested.task),
      criteria: await askForCriteria(() => ask(init.criterion)),
      checks: [await ask(init.check, suggested.checks[0])].filter((check) => check !== "" && check !== "-"),
      iterations: Number(await ask(init.iterations, String(suggested.iterations), number(isCount))),
      cost_usd: Number(await ask(init.cost, "", number(isAboveZero))) || undefined,
    };
  } catch (error) {
    if (error === LEFT) return undefined;
    throw error;
  } finally {
    process.stdin.pause(); // readline believes that it is
  }
}

const LEFT = Symbol("the user has left");

async function askForCriteria(ask: () => Promise<string>): Promise<string[]> {
  const criterion = await ask();
  return criterion === "" ? [] : [criterion, ...(await askForCriteria(ask))];
}

function isAboveZero(n: number): boolean {
  return n > 0;
}

/** A number of iterations. */
export function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 1 && n <= MOST_ITERATIONS;
}

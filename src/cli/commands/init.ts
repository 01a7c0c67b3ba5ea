import { relative } from "node:path";
import process from "node:process";
import { guessCheck, makeStarter, requireStarterPlace } from "../../compose/starter.ts";
import { E8Error } from "../../model/errors.ts";
import { unfit } from "../../model/flag-value.ts";
import { asTyped } from "../../model/shell-quotes.ts";
import type { Statement } from "../../model/statement.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { askForStarter, isCount, type StarterAnswers } from "../init-questions.ts";
import { isTerminal } from "../questions.ts";

interface InitFlags {
  project: string;
  task?: string;
  criteria: string[];
  check: string[];
  maxIterations?: string;
  maxCost?: string;
  force?: boolean;
}

const DEFAULT_ITERATIONS = 10;

/** Writes a task file: from flags, from answers at a terminal, or from what the project looks like. */
export async function initCommand(file: string, flags: InitFlags, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { project, force = false } = flags;
  await requireStarterPlace({ project, file, force });
  const suggested = suggestion(flags, await guessCheck(project));
  const said = isTerminal() && !saysAnything(flags) ? await askForStarter(suggested, context) : suggested;
  if (!said) {
    output.progress(texts.init.left);
    process.exitCode = exitCodes.cancelled;
    return;
  }
  const path = await makeStarter({ project, file, force, language: texts.language, ...withExamples(said, texts) });
  const shown = relative(process.cwd(), path);
  output.result(texts.init.made(shown));
  const command = `e8 run --config ${asTyped(shown)} --dry-run`;
  const open = stillOpen(said);
  output.result(`${texts.nextStep}: ${open.length > 0 ? texts.init.fillIn(open, command) : command}`);
}

/** The keys for which the file has an example only. */
function stillOpen({ task, criteria, checks }: StarterAnswers): string[] {
  return [...(task ? [] : ["task"]), ...(criteria.length + checks.length > 0 ? [] : ["criteria"])];
}

function saysAnything({ task, criteria, check }: InitFlags): boolean {
  return task !== undefined || criteria.length > 0 || check.length > 0;
}

/** A check that the project suggests is taken where no other criterion is given. */
function suggestion(flags: InitFlags, guessed: string | undefined): StarterAnswers {
  const { task = "", criteria, check, maxIterations = String(DEFAULT_ITERATIONS), maxCost } = flags;
  const isOpen = criteria.length === 0 && check.length === 0;
  return {
    task,
    criteria,
    checks: isOpen && guessed ? [guessed] : check,
    iterations: numberOf("--max-iterations", maxIterations, {
      form: { en: "1 to 100", ja: "1〜100" },
      isGood: isCount,
    }),
    cost_usd:
      maxCost === undefined ? undefined : numberOf("--max-cost", maxCost, { form: ABOVE_ZERO, isGood: (n) => n > 0 }),
  };
}

const ABOVE_ZERO: Statement = { en: "more than 0", ja: "0 より大" };

interface NumberRule {
  form: Statement;
  isGood: (n: number) => boolean;
}

function numberOf(flag: string, text: string, { form, isGood }: NumberRule): number {
  if (text.trim() !== "" && isGood(Number(text))) return Number(text);
  throw new E8Error("flag_invalid", { flag, problem: unfit(text, form), command: "init" });
}

function withExamples({ task, criteria, ...said }: StarterAnswers, { init }: Texts): StarterAnswers {
  const isOpen = criteria.length === 0 && said.checks.length === 0;
  return { ...said, task: task || init.exampleTask, criteria: isOpen ? [init.exampleCriterion] : criteria };
}

import process from "node:process";
import { MOST_ITERATIONS } from "../model/limits.ts";
import { askForText } from "./ask.ts";
import type { CliContext } from "./context.ts";

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
    typed === "" || isGood(Number(typed)) ? undefined : `${init.wrong}: ${typed}`;
  try {
    return {
      task: await ask(init.task, suggested.task),
      criteria: await askForCriteria(() => ask(init.criterion)),
      checks: [await ask(init.check, suggested.checks[0])].filter((check) => check !== "" && check !== "-"),
      iterations: Number(await ask(init.iterations, String(suggested.iterations), number(isCount))),
      cost_usd:
        Number(
          await ask(
            init.cost,
            "",
            number((n) => n > 0),
          ),
        ) || undefined,
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

/** A number of iterations. */
export function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 1 && n <= MOST_ITERATIONS;
}

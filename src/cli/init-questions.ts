import process from "node:process";
import { isCancel, text } from "@clack/prompts";
import type { Surroundings } from "./surroundings.ts";

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
  { texts: { init } }: Surroundings,
): Promise<StarterAnswers | undefined> {
  const number = (isGood: (n: number) => boolean) => (typed: string) =>
    typed === "" || isGood(Number(typed)) ? undefined : `${init.wrong}: ${typed}`;
  try {
    return {
      task: await ask(init.task, suggested.task),
      criteria: await askForCriteria(init.criterion),
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
  }
}

const LEFT = Symbol("the user has left");

/** What is suggested stands in the field, and an empty answer takes it. */
async function ask(message: string, suggested = "", problemOf?: (typed: string) => string | undefined) {
  const typed = await text({
    message,
    placeholder: suggested,
    defaultValue: suggested,
    output: process.stderr,
    validate: (value = "") => problemOf?.(value.trim()),
  });
  if (isCancel(typed)) throw LEFT;
  return typed.trim();
}

async function askForCriteria(message: string): Promise<string[]> {
  const criterion = await ask(message);
  return criterion === "" ? [] : [criterion, ...(await askForCriteria(message))];
}

/** A number of iterations. */
export function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 1 && n <= 100;
}

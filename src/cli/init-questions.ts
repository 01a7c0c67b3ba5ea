import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { Surroundings } from "./surroundings.ts";

export interface StarterAnswers {
  task: string;
  criteria: readonly string[];
  checks: readonly string[];
  iterations: number;
  cost_usd: number | undefined;
}

type Question = (text: string, suggested?: string) => Promise<string>;

/** Asks for what a task file needs. Undefined when the user leaves. */
export async function askForStarter(
  suggested: StarterAnswers,
  { texts: { init }, output }: Surroundings,
): Promise<StarterAnswers | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  terminal.once("close", () => left.abort()); // Ctrl-C and Ctrl-D: readline would leave the question open for ever
  const ask: Question = async (text, preset = "") => {
    const shown = preset === "" ? text : `${text} [${preset}]`;
    return (await terminal.question(`? ${shown}: `, { signal: left.signal })).trim() || preset;
  };
  const askNumber = async (text: string, preset: string, isGood: (n: number) => boolean): Promise<number> => {
    const typed = await ask(text, preset);
    if (typed === "" || isGood(Number(typed))) return typed === "" ? 0 : Number(typed);
    output.progress(`  ${init.wrong}: ${typed}`);
    return askNumber(text, preset, isGood);
  };
  try {
    return {
      task: await ask(init.task, suggested.task),
      criteria: await askForCriteria(() => ask(init.criterion)),
      checks: [await ask(init.check, suggested.checks[0])].filter((check) => check !== "" && check !== "-"),
      iterations: await askNumber(init.iterations, String(suggested.iterations), isCount),
      cost_usd: (await askNumber(init.cost, "", (n) => n > 0)) || undefined,
    };
  } catch (error) {
    if (left.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

async function askForCriteria(ask: () => Promise<string>): Promise<string[]> {
  const criterion = await ask();
  return criterion === "" ? [] : [criterion, ...(await askForCriteria(ask))];
}

/** A number of iterations. */
export function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 1 && n <= 100;
}

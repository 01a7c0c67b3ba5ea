import { constants } from "node:os";
import type { ProcessRow } from "./process-table.ts";

/** The two processes above a program that has a space of its own, the outer one first; fewer while they start. */
export function holdersOf(outer: number | undefined, rows: readonly ProcessRow[]): number[] {
  const inner = rows.find(({ parent }) => parent === outer)?.pid;
  return [outer, inner].flatMap((pid) => pid ?? []);
}

/** The program itself. The inner holder also becomes the parent of what has lost its own, so the first of its children is meant. */
export function programOf(outer: number | undefined, rows: readonly ProcessRow[]): number | undefined {
  const [, inner] = holdersOf(outer, rows);
  const below = rows.filter(({ parent }) => parent === inner && inner !== undefined);
  const [first] = below.sort((one, other) => Number(one.started) - Number(other.started) || one.pid - other.pid);
  return first?.pid;
}

/**
 * The signal that an exit code stands for. A program may also exit with such a code by itself: git does with 129, so that one is left
 * out.
 */
export function signalIn(code: number | null): NodeJS.Signals | null {
  const number = (code ?? 0) - 128;
  const [name = null] = SIGNALS.find(([, value]) => value === number) ?? [];
  return name;
}

const SIGNALS = (Object.entries(constants.signals) as [NodeJS.Signals, number][]).filter(([name]) => name !== "SIGHUP");

import type { Command } from "commander";

/** Gives a command the flag for the project's directory. */
export type AddProject = (command: Command) => Command;

/** For a flag that may be repeated. */
export function collect(value: string, values: string[]): string[] {
  return [...values, value];
}

import { shellQuoted } from "../../model/shell-quotes.ts";
import type { CommandNode, Values } from "./command-tree.ts";

/** A description on one line. */
export function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** How the shell function that makes the words is called; lists are their own words. */
export function source(values: Values): string {
  return typeof values === "string" ? values : values.join(" ");
}

/** Every way to say "this flag, here", for the flags that take a value, with what fits. */
export function flagValues(nodes: readonly CommandNode[]): { pattern: string; values: Values }[] {
  return nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, values }) =>
      values === undefined ? [] : names.map((name) => ({ pattern: shellQuoted(`${path} ${name}`), values })),
    ),
  );
}

/** The commands by which the two lists come that only the program itself knows. */
export const LISTED = {
  tasks: { command: "e8 list --json", key: "task_id" },
  agents: { command: "e8 agent list --json", key: "name" },
} as const;

import type { Command, Option } from "commander";
import { LoopStatus } from "../../model/records.ts";
import { Confidence, KnowledgeType } from "../../model/roles.ts";
import { shellQuoted } from "../../model/shell-quotes.ts";
import { inheritedOptions } from "../speech.ts";

/** What can be typed after a command. */
export interface CommandNode {
  /** `/agent/list`; empty for the program itself. */
  path: string;
  description: string;
  subcommands: { name: string; description: string }[];
  flags: FlagNode[];
  /** What its arguments are, as far as they can be completed. */
  argument: Values;
}

export interface FlagNode {
  /** `-p`, `--project`. */
  names: string[];
  description: string;
  /** Undefined: it takes no value. */
  values: Values | undefined;
  /** Whether the value may be left out. */
  isOptional: boolean;
}

/** `text`: any text. A list: only these words. */
export type Values = "text" | "files" | "directories" | "tasks" | "agents" | readonly string[];

/** What the name of a placeholder says about the values that fit. */
const BY_PLACEHOLDER: Readonly<Record<string, Values>> = {
  file: "files",
  directory: "directories",
  id: "tasks",
  name: "agents",
  language: ["en", "ja"],
  shell: ["bash", "zsh", "fish"],
  form: ["mermaid", "text"],
  type: KnowledgeType.options,
  level: Confidence.options,
  status: [...LoopStatus.options, "interrupted"],
  state: ["open", "closed", "all"],
  format: ["markdown", "json"],
  template: ["single-step", "plan-implement-verify-close", "issue-worker"],
};

/** Every command of the program, itself first, as commander knows them. */
export function commandTree(command: Command, path = ""): CommandNode[] {
  const children = command.commands.map((child) => commandTree(child, `${path}/${child.name()}`));
  const node = {
    path,
    description: command.description(),
    subcommands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
    flags: [...[...command.options.filter(({ hidden }) => !hidden), ...inheritedOptions(command)].map(flagNode), HELP],
    argument: valuesOf(command.registeredArguments[0]?.name()),
  };
  return [node, ...children.flat()];
}

const HELP: FlagNode = { names: ["--help"], description: "", values: undefined, isOptional: false };

function flagNode(option: Option): FlagNode {
  const placeholder = /[<[](\w+)/.exec(option.flags)?.[1];
  return {
    names: [option.short, option.long].flatMap((name) => name ?? []),
    description: option.description,
    values: placeholder === undefined ? undefined : valuesOf(placeholder),
    isOptional: option.optional,
  };
}

function valuesOf(placeholder: string | undefined): Values {
  return BY_PLACEHOLDER[placeholder?.replace(/^(name|id)s$/, "$1") ?? ""] ?? "text";
}

/** The paths of all commands but the program itself. */
export function paths(nodes: readonly CommandNode[]): string[] {
  return nodes.flatMap(({ path }) => (path === "" ? [] : [path]));
}

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

import { basename } from "node:path";
import type { ToolCall } from "../../../model/agent.ts";
import { shellQuoted } from "../../../model/shell-quotes.ts";

export type ToolInput = Readonly<Record<string, unknown>>;

/** The tool through which Claude Code takes the structured answer. */
export const ANSWER_TOOL = "StructuredOutput";

export function inputOf(given: unknown): ToolInput {
  return typeof given === "object" && given !== null ? { ...given } : {};
}

/** `Read`, `Bash(pytest)`, `Skill(review)`: what was used, short enough for a list. */
export function toolLabel(tool: string, input: ToolInput): string {
  const word = tool === "Bash" ? firstProgram(textOf(input.command)) : tool === "Skill" ? textOf(input.skill) : "";
  return word === "" ? tool : `${tool}(${word})`;
}

const FILE_TOOLS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** What a call would do, for a policy that knows no tool names. */
export function toolCallOf(name: string, input: ToolInput): ToolCall {
  const [, , remote] = /^mcp__(.*)__(.+)$/.exec(name) ?? [];
  const { file_path, notebook_path } = input;
  const paths = [file_path, notebook_path].filter((path) => typeof path === "string");
  const writes = FILE_TOOLS.has(name) ? (paths.length > 0 ? paths : [""]) : [];
  return { name, writes, scripts: scriptsIn(input), ...(remote !== undefined && { remote }) };
}

/** Bash has a `command`; shells behind MCP also say `cmd` or `script`, and may give the arguments apart. */
function scriptsIn({ command, cmd, script, args }: ToolInput): string[] {
  const texts = [command, cmd, script].filter((text) => typeof text === "string");
  const lists = [command, cmd, args].filter((list) => Array.isArray(list));
  const program = typeof command === "string" ? [command] : [];
  return [
    ...texts,
    ...lists.map((list) =>
      [...(list === args ? program : []), ...list.map((word) => shellQuoted(String(word)))].join(" "),
    ),
  ];
}

/** The one thing about a call that a person wants to see. */
export function toolDetail(input: ToolInput): string {
  const key = DETAIL_KEYS.find((name) => textOf(input[name]) !== "");
  const value = key === undefined ? Object.values(input).map(textOf).find(Boolean) : textOf(input[key]);
  const line = (value ?? "").trim().split("\n", 1)[0] ?? "";
  return line.length > DETAIL_LENGTH ? `${line.slice(0, DETAIL_LENGTH)}…` : line;
}

/** The program a shell command is about: behind assignments, `cd x &&`, `sudo` and the like, without its directory. */
export function firstProgram(command: string): string {
  let rest = command;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(PREFIX, "");
  }
  return basename(/^["']?([^\s;&|<>()"'`$]+)/.exec(rest)?.[1] ?? "");
}

const DETAIL_LENGTH = 200;
const DETAIL_KEYS = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "skill",
  "url",
  "query",
  "description",
  "path",
];

const VALUE = String.raw`(?:"[^"]*"|'[^']*'|[^\s;&|"']*)`;
const PREFIX = new RegExp(
  [
    String.raw`^\s+`,
    String.raw`^#[^\n]*\n`,
    String.raw`^[A-Za-z_]\w*=${VALUE}(?:\s*(?:;|&&)|\s+)`,
    String.raw`^(?:export|set)\s[^;&\n]*(?:;|&&|\n)`,
    String.raw`^cd\s+${VALUE}\s*(?:;|&&|\n)`,
    String.raw`^(?:sudo|env|nohup|time|command|exec)(?:\s+-\S+)*\s+`,
    String.raw`^timeout(?:\s+-\S+)*(?:\s+\d\S*)+\s+`,
    String.raw`^[({!]\s*`,
  ].join("|"),
);

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

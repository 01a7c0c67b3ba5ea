import { basename } from "node:path";
import type { HookCallback, Options } from "@anthropic-ai/claude-agent-sdk";
import type { ToolCall, ToolPolicy } from "../../../model/agent.ts";
import { problemOf } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";
import { shellQuoted } from "../../../model/shell-quotes.ts";
import type { DescribedCall } from "../tool-calls.ts";

export type ToolInput = Readonly<Record<string, unknown>>;

/** The tool through which Claude Code takes the structured answer. */
export const ANSWER_TOOL = "StructuredOutput";

export function inputOf(given: unknown): ToolInput {
  return typeof given === "object" && given !== null ? { ...given } : {};
}

/** `Read`, `Bash(pytest)`, `Skill(review)`: what was used, short enough for a list. */
export function toolLabel(tool: string, input: ToolInput): string {
  const { command, skill } = input;
  const name = tool === "Bash" && typeof command === "string" ? firstProgram(command) : tool === "Skill" && skill;
  return typeof name === "string" && name !== "" ? `${tool}(${name})` : tool;
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

const LONGEST_COMMAND = 1_000;

/** A call for the list of all that were made. */
export function describedCall(tool: string, input: ToolInput): DescribedCall {
  const { writes, scripts } = toolCallOf(tool, input);
  const script = scripts.join("\n");
  const detail = script.length > LONGEST_COMMAND ? `${script.slice(0, LONGEST_COMMAND)}…` : script;
  return {
    label: toolLabel(tool, input),
    files: writes.slice(0, 1).filter(Boolean),
    tool,
    detail: detail || toolDetail(input),
    is_command: scripts.length > 0,
  };
}

/** Without images and the like. */
export function textIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.flatMap((part) => (typeof part?.text === "string" ? [part.text] : [])).join("\n");
}

/** The part of a call that tells a person most. */
export function toolDetail(input: ToolInput): string {
  const values = [...DETAIL_KEYS.map((key) => input[key]), ...Object.values(input)];
  const [value = ""] = values.filter((one) => typeof one === "string" && one !== "") as string[];
  const [line = ""] = value.trim().split("\n", 1);
  return line.length > DETAIL_LENGTH ? `${line.slice(0, DETAIL_LENGTH)}…` : line;
}

/** The main program of a shell command: behind assignments, `cd x &&`, `sudo` and the like, without its directory. */
export function firstProgram(command: string): string {
  let rest = command;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(PREFIX, "");
  }
  return basename(/^["']?([^\s;&|<>()"'`$]+)/.exec(rest)?.[1] ?? "");
}

const DETAIL_LENGTH = 200;
const DETAIL_KEYS = "command file_path notebook_path pattern skill url query description path".split(" ");

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

/** Tools for a longer life than one answer's, or for work in another place. */
const SENSELESS_TOOLS = ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "EnterWorktree", "ExitWorktree"];

/** Permission rules for Claude Code. It takes `mcp__server__*`, but no `*` in place of the server. */
export function allowedRules(allowed: readonly string[], servers: readonly string[]): string[] {
  const everyServer = servers.map(serverRule);
  return [...new Set(allowed.flatMap((rule) => (/^mcp__\*?(__\*)?$|^mcp__$/.test(rule) ? everyServer : [rule])))];
}

/**
 * Keeps the executor's file tools out of the records of its own work: hidden checks are among them. It may read texts that workers
 * handed in. A denial beats every allowance, so the rules name all other files.
 */
export function deniedRules(project: string, allowed: readonly string[]): string[] {
  const senseless = SENSELESS_TOOLS.filter((tool) => !allowed.includes(tool));
  const unreadable = ["**/*.json*", "**/lock", "**/cancel", "issues/**"].map((files) => readRule(project, files));
  return [...unreadable, `Edit(${recordsRule(project)}/**)`, ...senseless];
}

/** The texts of earlier workers, also for an executor that works below the project. */
export function readableRules(project: string): string[] {
  return ["output.md", "outputs/*.md"].map((files) => readRule(project, `tasks/*/${files}`));
}

/** Names a tool for all files below a directory. */
export function belowRule(tool: string, directory: string): string {
  return `${tool}(/${rulePath(directory)}/**)`;
}

export function recordsReadRule(project: string): string {
  return readRule(project, "**");
}

function readRule(project: string, files: string): string {
  return `Read(${recordsRule(project)}/${files})`;
}

function recordsRule(project: string): string {
  return `/${rulePath(project)}/.e8`;
}

/** A rule cannot escape all its special characters; `?` matches any one character. */
function rulePath(path: string): string {
  return path.replace(/[\\*?[\](){}!#$,]/g, "?");
}

/** The rule that allows all tools of an MCP server, whose name Claude Code spells in its own way. */
export function serverRule(server: string): string {
  return `mcp__${server.replace(/[^a-zA-Z0-9_-]/g, "_")}`;
}

export interface Denial {
  id: string;
  tool: string;
  reason: Statement;
}

/**
 * Has Claude Code ask the policy before every tool call, a subagent's and an MCP server's included. A hook's refusal holds
 * in every permission mode, and over every rule that would allow the call.
 */
export function policyHooks(
  against: (tool: string, input: unknown) => Statement | undefined,
  denied: (denial: Denial) => void,
  tell: (statement: Statement) => string,
): Pick<Options, "hooks"> {
  const decide: HookCallback = async (call) => {
    if (call.hook_event_name !== "PreToolUse" || call.tool_name === ANSWER_TOOL) return {};
    const reason = against(call.tool_name, call.tool_input);
    if (reason === undefined) return {};
    denied({ id: call.tool_use_id, tool: call.tool_name, reason });
    const permissionDecisionReason = tell(reason);
    return {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
    };
  };
  return { hooks: { PreToolUse: [{ hooks: [decide], timeout: ANSWER_SECONDS }] } };
}

/** Claude Code allows a call when the hook times out, so the limit outlasts even a suspended machine. */
const ANSWER_SECONDS = 24 * 3600;

/** A policy that throws forbids the call. */
export function reasonAgainst(forbids: ToolPolicy, tool: string, input: unknown): Statement | undefined {
  try {
    return forbids(toolCallOf(tool, inputOf(input)));
  } catch (error) {
    return message("policy_undecided", { problem: problemOf(error) });
  }
}

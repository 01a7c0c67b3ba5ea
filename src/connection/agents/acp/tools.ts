import type { ToolCall as AcpCall, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { isRecord } from "../../../model/json.ts";
import { asTyped } from "../../../model/shell-quotes.ts";
import { firstProgram } from "../claude/tools.ts";
import type { DescribedCall } from "../tool-calls.ts";

/** A call as the agent has told of it so far: each update adds to it. */
export type KnownCall = Partial<Omit<AcpCall, "toolCallId">>;

export function withUpdate(known: KnownCall, update: Omit<ToolCallUpdate, "toolCallId">): KnownCall {
  const told = Object.entries(update).filter(([key, value]) => key !== "sessionUpdate" && value != null);
  return { ...known, ...Object.fromEntries(told) };
}

/** The names that Claude Code has for what the protocol calls a kind: rules and records are written in them. */
const NAMES = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Grep",
  execute: "Bash",
  fetch: "WebFetch",
  think: "Think",
  switch_mode: "SwitchMode",
} as const;

const WRITING = ["edit", "delete", "move"];

/** What a call does, in our words. */
export interface ReadCall {
  tool: string;
  /** The files that it would change. */
  writes: readonly string[];
  /** The files that it would read. */
  reads: readonly string[];
  scripts: readonly string[];
  /** Whether it belongs to a server of ours: then the tool is its own name for it. */
  is_other: boolean;
}

export function readCall(call: KnownCall): ReadCall {
  const { kind = "other", title = "", name } = call;
  const paths = pathsIn(call);
  const scripts = scriptsIn(call);
  const diffs = diffsIn(call);
  if (diffs.length > 0 || WRITING.includes(kind)) {
    const isNew = diffs.length > 0 && diffs.every(({ oldText }) => oldText == null);
    const tool = kind === "delete" || kind === "move" ? NAMES[kind] : isNew ? "Write" : "Edit";
    return { tool, writes: paths, reads: [], scripts: [], is_other: false };
  }
  if (kind === "execute" || (kind === "other" && scripts.length > 0))
    return { tool: NAMES.execute, writes: [], reads: [], scripts, is_other: false };
  const known = kind in NAMES ? NAMES[kind as keyof typeof NAMES] : undefined;
  const tool = known ?? (name?.trim() || firstLine(title) || "other");
  return { tool, writes: [], reads: paths, scripts: [], is_other: known === undefined };
}

/** A call for the list of all that were made. */
export function describedCall(call: KnownCall): DescribedCall {
  const { tool, writes, reads, scripts } = readCall(call);
  const script = scripts.join("\n");
  const program = script === "" ? "" : firstProgram(script);
  const title = firstLine(call.title ?? "");
  const detail = script.slice(0, LONGEST_DETAIL) || writes[0] || reads[0] || (title === tool ? "" : title);
  return {
    label: program === "" ? tool : `${tool}(${program})`,
    files: writes,
    tool,
    detail,
    is_command: tool === NAMES.execute,
  };
}

/** What is known of a call when it begins may be its name alone. */
export function isTold(call: KnownCall): boolean {
  const { status, locations = [], content = [] } = call;
  const isAtWork = status === "in_progress" || status === "completed" || status === "failed";
  return isAtWork || locations.length + content.length > 0 || scriptsIn(call).length > 0 || pathsIn(call).length > 0;
}

/** What a call returned, as text. */
export function returnedBy({ content = [], rawOutput }: KnownCall): string {
  const texts = content.flatMap((part) =>
    part.type === "content" && part.content.type === "text" ? [part.content.text] : [],
  );
  if (texts.length > 0) return texts.join("\n");
  if (typeof rawOutput === "string") return rawOutput;
  if (!isRecord(rawOutput)) return "";
  const { formatted_output, aggregated_output, output, stdout, stderr } = rawOutput;
  const parts = [formatted_output ?? aggregated_output ?? output ?? stdout, stderr];
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}

const LONGEST_DETAIL = 1_000;

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}

function diffsIn({ content = [] }: KnownCall) {
  return content.flatMap((part) => (part.type === "diff" ? [part] : []));
}

const PATH_KEYS = ["file_path", "filePath", "path", "notebook_path", "abs_path", "absolute_path", "filepath"];

function pathsIn(call: KnownCall): string[] {
  const { locations = [], rawInput } = call;
  const input = isRecord(rawInput) ? rawInput : {};
  const given = PATH_KEYS.map((key) => input[key]).filter(
    (path) => typeof path === "string" && path !== "",
  ) as string[];
  // Codex names the files of a patch as keys.
  const changed = isRecord(input.changes) ? Object.keys(input.changes) : [];
  const paths = [...diffsIn(call).map(({ path }) => path), ...locations.map(({ path }) => path), ...changed];
  return [...new Set(paths.length > 0 ? paths : given)];
}

/** A command as one text: some agents give a list of words, of which the first ones may be a shell. */
function scriptsIn({ rawInput, kind, title = "" }: KnownCall): string[] {
  const input = isRecord(rawInput) ? rawInput : {};
  const command = input.command ?? input.cmd ?? input.script;
  if (typeof command === "string" && command.trim() !== "") return [command];
  if (Array.isArray(command) && command.length > 0) return [scriptOf(command.map(String))];
  const quoted = /^`([\s\S]+)`$/.exec(title.trim())?.[1];
  return kind === "execute" && (quoted ?? title).trim() !== "" ? [quoted ?? title] : [];
}

function scriptOf(words: readonly string[]): string {
  const [shell = "", flag = "", script] = words;
  if (/(^|\/)(ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag) && script !== undefined) return script;
  return words.map(asTyped).join(" ");
}

import { relative, resolve } from "node:path";
import { inputOf, toolCallOf } from "./tools.ts";

/** What decides over a call, as Claude Code's settings have it. */
interface Permissions {
  project: string;
  working_directory: string;
  permission_mode: string;
  allowed_tools: readonly string[];
}

interface Call {
  name: string;
  input: unknown;
}

/**
 * Why Claude Code would not let a call happen; undefined where it would. Knows the modes, a tool's name as a rule, and patterns for
 * paths and commands; a command of several parts fits no pattern.
 */
export function denialOf(call: Call, permissions: Permissions): string | undefined {
  const { project, working_directory, permission_mode: mode } = permissions;
  const paths = pathsOf(call).map((path) => resolve(working_directory, path));
  const isText = (path: string) => call.name === "Read" && HANDED_IN.test(relative(project, path));
  if (paths.some((path) => isWithin(resolve(project, ".e8"), path) && !isText(path)))
    return "File is in a directory that is denied by your permission settings.";
  if (READING.includes(call.name) || mode === "bypassPermissions") return undefined;
  const isAllowed =
    mode !== "plan" &&
    (permissions.allowed_tools.some((rule) => isMet(rule, call, permissions)) ||
      (mode === "acceptEdits" && paths.length > 0 && paths.every((path) => isWithin(working_directory, path))));
  return isAllowed ? undefined : `Permission to use ${call.name} has been denied (permission mode: ${mode}).`;
}

/** What earlier workers handed in, the only records that a worker may read. */
const HANDED_IN = /^\.e8\/tasks\/[^/]+\/(?:output|outputs\/[^/]+)\.md$/;
const READING = ["Read", "Glob", "Grep"];

function pathsOf({ name, input }: Call): string[] {
  const { file_path } = inputOf(input);
  const { writes } = toolCallOf(name, inputOf(input));
  return name === "Read" && typeof file_path === "string" ? [file_path] : [...writes];
}

/** `Bash`, `Bash(npm test:*)`, `Edit(./src/**)`. A rule for Edit holds for every tool that writes files. */
function isMet(rule: string, call: Call, { working_directory }: Permissions): boolean {
  const [, tool = rule, pattern] = /^(\w+)\((.*)\)$/s.exec(rule) ?? [];
  const { writes, scripts } = toolCallOf(call.name, inputOf(call.input));
  if (tool !== call.name && !(tool === "Edit" && writes.length > 0)) return false;
  if (pattern === undefined) return true;
  const [script] = scripts;
  if (script !== undefined) return !SEVERAL_PARTS.test(script) && matches(pattern.replace(/:\*$/, "*"), script, ".*");
  const wanted = pattern.startsWith("//") ? pattern.slice(1) : resolve(working_directory, pattern);
  return writes.every((path) => matches(wanted, resolve(working_directory, path), "[^/]*"));
}

const SEVERAL_PARTS = /[;&|`\n<>]|\$\(/;

function matches(pattern: string, text: string, star: string): boolean {
  const source = pattern
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => (part.startsWith("**") ? ".*" : part === "*" ? star : part === "?" ? "." : escaped(part)))
    .join("");
  return new RegExp(`^${source}$`, "s").test(text);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function isWithin(directory: string, path: string): boolean {
  const inside = relative(directory, path);
  return inside !== ".." && !inside.startsWith("../");
}

import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ToolResult } from "../../../model/agent.ts";
import { type ToolInput, toolCallOf, toolDetail, toolLabel } from "./tools.ts";

interface TracedCall {
  label: string;
  /** The file that it changes, if it changes one. */
  file: string | undefined;
  state: "running" | "done" | "failed" | "denied";
  called: Pick<ToolResult, "tool" | "detail" | "is_command">;
  output: Pick<ToolResult, "output" | "is_cut">;
}

/** A call's result, as the model is told it. */
interface Ended {
  tool_use_id: string;
  is_error?: boolean;
  content?: unknown;
}

const endings = { running: "unfinished", done: "done", failed: "failed", denied: "failed" } as const;
const NOTHING_RETURNED = { output: "", is_cut: false };
/** Of one call, in characters. */
const LONGEST_COMMAND = 1_000;
const LONGEST_OUTPUT = 4_000;
const MOST_RESULTS = 200;

/** What the agent did with its tools. */
export class ToolCalls {
  readonly #calls = new Map<string, TracedCall>();

  begin(id: string, tool: string, input: ToolInput): void {
    const { writes, scripts } = toolCallOf(tool, input);
    const script = scripts.join("\n");
    const detail = script.length > LONGEST_COMMAND ? `${script.slice(0, LONGEST_COMMAND)}…` : script;
    this.#calls.set(id, {
      label: toolLabel(tool, input),
      file: writes[0] || undefined,
      state: "running",
      called: { tool, detail: detail || toolDetail(input), is_command: scripts.length > 0 },
      output: NOTHING_RETURNED,
    });
  }

  knows(id: string): boolean {
    return this.#calls.has(id);
  }

  end({ tool_use_id, is_error, content }: Ended): void {
    const call = this.#calls.get(tool_use_id);
    if (call?.state !== "running") return;
    call.state = is_error ? "failed" : "done";
    const { is_command } = call.called;
    const returned = textIn(content);
    const output = is_command ? returned.slice(-LONGEST_OUTPUT) : returned.slice(0, LONGEST_OUTPUT);
    call.output = { output: output.toWellFormed(), is_cut: output.length < returned.length };
  }

  /** False when it was known already: Claude Code reports a denial twice. */
  deny(id: string): boolean {
    const call = this.#calls.get(id);
    if (call?.state === "denied") return false;
    const called = { tool: "", detail: "", is_command: false };
    this.#calls.set(id, { label: "", file: undefined, called, output: NOTHING_RETURNED, ...call, state: "denied" });
    return true;
  }

  get running(): boolean {
    return [...this.#calls.values()].some((call) => call.state === "running");
  }

  /** In order of first use, without denied calls. */
  used(): string[] {
    return [...new Set([...this.#calls.values()].filter((call) => call.state !== "denied").map((call) => call.label))];
  }

  /** Without written files, whose content says more than the tool does. */
  results(): ToolResult[] {
    const isTelling = ({ state, file }: TracedCall) => state !== "denied" && !(state === "done" && file);
    return [...this.#calls.values()]
      .filter(isTelling)
      .slice(-MOST_RESULTS)
      .map(({ called, state, output }) => ({ ...called, ending: endings[state], ...output }));
  }

  /** Relative to the project; files outside of it by their absolute path. */
  filesModified({ project, working_directory }: { project: string; working_directory: string }): string[] {
    const done = [...this.#calls.values()].filter((call) => call.state === "done");
    const files = done.flatMap((call) => call.file ?? []).map((file) => resolve(working_directory, file));
    const names = [project, realPath(project)];
    return [...new Set(files.map((file) => fromProject(file, names)))];
  }
}

/** Without images and the like. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.flatMap((part) => (typeof part?.text === "string" ? [part.text] : [])).join("\n");
}

/** The project's path may be a link, while Claude Code uses the real path. */
function fromProject(file: string, projects: readonly string[]): string {
  const paths = projects.map((project) => relative(project, file));
  return paths.find((path) => path !== ".." && !path.startsWith("../")) ?? file;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

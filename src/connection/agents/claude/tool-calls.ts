import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type ToolInput, toolLabel } from "./tool-names.ts";

interface ToolCall {
  label: string;
  /** The file that it changes, if it changes one. */
  file: string | undefined;
  state: "running" | "done" | "failed" | "denied";
}

/** What the agent did with its tools. */
export class ToolCalls {
  readonly #calls = new Map<string, ToolCall>();

  begin(id: string, tool: string, input: ToolInput): void {
    const path = FILE_KEYS[tool] && input[FILE_KEYS[tool]];
    const file = typeof path === "string" ? path : undefined;
    this.#calls.set(id, { label: toolLabel(tool, input), file, state: "running" });
  }

  knows(id: string): boolean {
    return this.#calls.has(id);
  }

  end(id: string, failed: boolean): void {
    const call = this.#calls.get(id);
    if (call?.state === "running") call.state = failed ? "failed" : "done";
  }

  /** False when it was known already: denials are told of twice. */
  deny(id: string): boolean {
    const call = this.#calls.get(id);
    if (call?.state === "denied") return false;
    this.#calls.set(id, { label: "", file: undefined, ...call, state: "denied" });
    return true;
  }

  get running(): boolean {
    return [...this.#calls.values()].some((call) => call.state === "running");
  }

  /** In order of first use. What was denied was not used. */
  used(): string[] {
    return [...new Set([...this.#calls.values()].filter((call) => call.state !== "denied").map((call) => call.label))];
  }

  /** Named from the project; what lies outside it, by its whole path. */
  filesModified({ project, working_directory }: { project: string; working_directory: string }): string[] {
    const done = [...this.#calls.values()].filter((call) => call.state === "done");
    const files = done.flatMap((call) => call.file ?? []).map((file) => resolve(working_directory, file));
    const names = [project, realPath(project)];
    return [...new Set(files.map((file) => fromProject(file, names)))];
  }
}

const FILE_KEYS: Record<string, string> = {
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path",
};

/** The project may be known by a link, while Claude Code sees where it leads. */
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

import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ToolResult } from "../../model/agent.ts";

/** A call of a tool, as the agent's adapter understands it. */
export interface DescribedCall extends Pick<ToolResult, "tool" | "detail" | "is_command"> {
  /** `Bash(pytest)`: what was used, short enough for a list. */
  label: string;
  /** The files that it changes, as the agent names them. */
  files: readonly string[];
}

interface TracedCall extends DescribedCall {
  state: "running" | "done" | "failed" | "denied";
  output: Pick<ToolResult, "output" | "is_cut">;
}

interface Ended {
  is_failed: boolean;
  /** What the model is told of it. */
  returned: string;
}

const endings = { running: "unfinished", done: "done", failed: "failed", denied: "failed" } as const;
const NOTHING_RETURNED = { output: "", is_cut: false };
const UNKNOWN: DescribedCall = { label: "", files: [], tool: "", detail: "", is_command: false };
/** Of one call, in characters. */
const LONGEST_OUTPUT = 4_000;
const MOST_RESULTS = 200;

/** What the agent did with its tools. */
export class ToolCalls {
  readonly #calls = new Map<string, TracedCall>();
  readonly #running = new Set<string>();

  begin(id: string, call: DescribedCall): void {
    this.#calls.set(id, { ...call, state: "running", output: NOTHING_RETURNED });
    this.#running.add(id);
  }

  /** More is known of a call that has begun. */
  describe(id: string, call: DescribedCall): void {
    const known = this.#calls.get(id);
    if (known) this.#calls.set(id, { ...known, ...call });
  }

  knows(id: string): boolean {
    return this.#calls.has(id);
  }

  end(id: string, { is_failed, returned }: Ended): void {
    const call = this.#calls.get(id);
    if (call?.state !== "running") return;
    this.#running.delete(id);
    call.state = is_failed ? "failed" : "done";
    const output = call.is_command ? returned.slice(-LONGEST_OUTPUT) : returned.slice(0, LONGEST_OUTPUT);
    call.output = { output: output.toWellFormed(), is_cut: output.length < returned.length };
  }

  /** False when it was known already. */
  deny(id: string): boolean {
    const call = this.#calls.get(id);
    if (call?.state === "denied") return false;
    this.#running.delete(id);
    this.#calls.set(id, { ...UNKNOWN, output: NOTHING_RETURNED, ...call, state: "denied" });
    return true;
  }

  get running(): boolean {
    return this.#running.size > 0;
  }

  /** In order of first use, without denied calls. */
  used(): string[] {
    return [...new Set([...this.#calls.values()].filter((call) => call.state !== "denied").map((call) => call.label))];
  }

  /** Without written files, whose content says more than the tool does. */
  results(): ToolResult[] {
    const isTelling = ({ state, files }: TracedCall) => state !== "denied" && !(state === "done" && files.length > 0);
    return [...this.#calls.values()]
      .filter(isTelling)
      .slice(-MOST_RESULTS)
      .map(({ tool, detail, is_command, state, output }) => {
        return { tool, detail, is_command, ending: endings[state], ...output };
      });
  }

  /** Relative to the project; files outside of it by their absolute path. */
  filesModified({ project, working_directory }: { project: string; working_directory: string }): string[] {
    const done = [...this.#calls.values()].filter((call) => call.state === "done");
    const files = done.flatMap((call) => call.files).map((file) => resolve(working_directory, file));
    const names = [project, realPath(project)];
    return [...new Set(files.map((file) => fromProject(file, names)))];
  }
}

/** The project's path may be a link, while the agent uses the real path. */
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

import type { AgentFailure, Assignment, ReplyContent, ToolResult } from "../../../model/agent.ts";
import { problemOf } from "../../../model/errors.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message } from "../../../model/message.ts";
import { NOTHING_SPENT, type Usage } from "../../../model/usage.ts";
import type { Agent } from "../../ports/agent.ts";
import { type CutReason, watchLimits } from "../../processes/limits.ts";
import { OutputTail } from "../../processes/output.ts";
import { type Exit, endTree, startTree, type Tree } from "../../processes/process-tree.ts";
import { directoryProblem } from "../../processes/programs.ts";
import { shellCommand } from "../../processes/shell.ts";
import type { AgentSetup } from "../backend.ts";
import { cutFailure } from "../failures.ts";
import { findJson } from "../find-json.ts";
import { textsOf } from "./output-texts.ts";

export interface CommandAgentOptions extends Omit<AgentSetup, "configuration" | "project" | "tell"> {
  /** A shell command. It reads the prompt on stdin and answers on stdout. */
  command: string;
  working_directory: string;
}

const TEXT_BYTES = 1024 * 1024;
const STDERR_BYTES = 4 * 1024;
/** How long output may still come after the program itself has exited. */
const DRAIN_MILLISECONDS = 500;
/** More than its pipe and our buffer hold: output beyond this comes from another process. */
const BACKLOG_BYTES = 256 * 1024;

/** Any program as an agent. Its text is its answer; the JSON in it, if there is any, its structured answer. */
export function createCommandAgent(options: CommandAgentOptions): Agent {
  return {
    async *work(assignment, signal) {
      const { role } = assignment;
      const started = performance.now();
      const { printed, is_asked, ...content } = yield* runProgram(options, assignment, signal);
      const seconds = (performance.now() - started) / 1000;
      const usage: Usage = { ...NOTHING_SPENT, seconds, ...(is_asked && { unknown: ["tokens", "cost"] }) };
      yield { type: "usage", role, usage };
      return { ...content, usage, tools_used: [], files_modified: [], tool_results: printedBeside(content, printed) };
    },
  };
}

interface Answered extends ReplyContent {
  printed: string;
  /** Whether the program has run: what it has spent is then not known. */
  is_asked: boolean;
}

const NOT_ASKED: Answered = { text: "", printed: "", is_asked: false };

async function* runProgram(
  options: CommandAgentOptions,
  assignment: Assignment,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answered> {
  if (signal.aborted) return { ...NOT_ASKED, failure: cutFailure("aborted", options) };
  const tree = startProgram(options, assignment);
  if (!("child" in tree)) return { ...NOT_ASKED, failure: tree };
  const { child } = tree;
  const limits = watchLimits({ ...options, signal }, () => void close(tree));
  const text = new OutputTail(TEXT_BYTES);
  const errors = new OutputTail(STDERR_BYTES);
  const drain = drainAfterExit(tree);
  child.stderr?.on("data", (chunk: Buffer) => {
    limits.alive();
    errors.add(chunk);
  });
  try {
    child.stdin?.end(`${assignment.system_prompt}\n\n${assignment.prompt}`);
    yield* textEvents(tree, options, assignment, (chunk) => {
      limits.alive();
      drain.seen(chunk);
      text.add(chunk);
    });
    const failure = failureOf(await tree.exit, limits.reason, { options, errors: errors.text() });
    return { ...contentOf(text.text(), failure), printed: errors.text(), is_asked: true };
  } finally {
    limits.stop();
    drain.stop();
    await close(tree);
  }
}

function startProgram(options: CommandAgentOptions, { role, iteration }: Assignment): Tree | AgentFailure {
  const { working_directory: cwd, task_token, space } = options;
  const [command = "", ...args] = shellCommand(options.command, { path: options.environment.PATH, pipefail: false });
  const environment = { ...options.environment, E8_ROLE: role, E8_ITERATION: String(iteration) };
  const problem = directoryProblem(cwd);
  if (problem) return { code: "configuration", message: problem };
  try {
    return startTree({ command, args, cwd, environment, task_token, space, stdin: "pipe", stderr: "pipe" });
  } catch (error) {
    return { code: "configuration", message: problemOf(error) };
  }
}

/** Ends the program and stops reading its output, even if another process holds that open. */
async function close(tree: Tree): Promise<void> {
  await endTree(tree);
  tree.child.stdout?.destroy();
  tree.child.stderr?.destroy();
}

/** Closes what a program that has exited left open, but not before a slow reader has all that it said itself. */
function drainAfterExit(tree: Tree) {
  const { child } = tree;
  let timer: NodeJS.Timeout | undefined;
  let sinceExit = 0;
  const wait = () => {
    timer = setTimeout(() => {
      const isUnread = (child.stdout?.readableLength ?? 0) > 0 && sinceExit < BACKLOG_BYTES;
      if (isUnread) wait();
      else void close(tree);
    }, DRAIN_MILLISECONDS);
  };
  child.once("exit", wait);
  return {
    seen: (chunk: Buffer) => {
      if (timer) sinceExit += chunk.length;
    },
    stop: () => {
      child.off("exit", wait);
      clearTimeout(timer);
    },
  };
}

async function* textEvents(
  { child }: Tree,
  { raw_log }: CommandAgentOptions,
  { role, iteration }: Assignment,
  seen: (chunk: Buffer) => void,
): AsyncGenerator<AgentEvent, void> {
  if (!child.stdout) return;
  for await (const text of textsOf(child.stdout, seen)) {
    await raw_log?.(iteration, role, JSON.stringify({ type: "text", text }));
    if (text.trim() !== "") yield { type: "text", role, text };
  }
}

function contentOf(text: string, failure: AgentFailure | undefined): ReplyContent {
  const structured = findJson(text);
  return { text: text.trim(), ...(structured && { structured }), ...(failure && { failure }) };
}

/** A plain text is the answer itself. */
function printedBeside({ text, structured, failure }: ReplyContent, errors: string): ToolResult[] {
  const whole = [structured === undefined ? "" : text, errors.trim()].filter(Boolean).join("\n");
  const output = whole.slice(-LONGEST_PRINTED).toWellFormed();
  const result = { tool: "program", detail: "", is_command: true, ending: failure ? "failed" : "done" } as const;
  return output === "" ? [] : [{ ...result, output, is_cut: output.length < whole.length }];
}

const LONGEST_PRINTED = 12_000;

/** A shell's exit codes for a program that is missing or cannot be executed. */
const SHELL_FOUND_NO_PROGRAM = [126, 127];

function failureOf(
  exit: Exit,
  cut: CutReason | undefined,
  { options, errors }: { options: CommandAgentOptions; errors: string },
): AgentFailure | undefined {
  if (cut) return cutFailure(cut, options);
  if (exit.code === 0) return undefined;
  const said = errors.trim();
  if (exit.start_error !== null)
    return { code: "configuration", message: [exit.start_error, said].filter(Boolean).join(": ") };
  const code = SHELL_FOUND_NO_PROGRAM.includes(exit.code ?? 0) ? "configuration" : "crashed";
  return { code, message: message("program_ended", { program: options.command, ...endOf(exit), said }) };
}

function endOf({ signal, code }: Exit): { signal: string } | { exit_code: number | null } {
  return signal ? { signal } : { exit_code: code };
}

import type { AgentFailure, Assignment, ReplyContent } from "../../../model/agent.ts";
import type { Environment } from "../../../model/environment.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { changed, WordedError, type Words, wordingOf } from "../../../model/statement.ts";
import { NOTHING_SPENT } from "../../../model/usage.ts";
import { directoryProblem } from "../../commands/directories.ts";
import { type CutReason, watchLimits } from "../../commands/limits.ts";
import { OutputTail } from "../../commands/output-tail.ts";
import { type Exit, endTree, startTree, type Tree } from "../../commands/process-tree.ts";
import { shellCommand } from "../../commands/shell.ts";
import type { Agent } from "../../ports/agent.ts";
import { cutFailure } from "../cut-failure.ts";
import { findJson } from "../find-json.ts";
import type { RawLog } from "../raw-log.ts";
import { textsOf } from "./output-texts.ts";

export interface CommandAgentOptions {
  /** A shell command. It reads the prompt on stdin and answers on stdout. */
  command: string;
  working_directory: string;
  environment?: Environment;
  timeout_seconds: number | null;
  silence_seconds: number | null;
  raw_log?: RawLog | undefined;
  task_token: string;
}

const TEXT_BYTES = 1024 * 1024;
const STDERR_BYTES = 4 * 1024;
/** How long output may still come after the program itself has exited. */
const DRAIN_MILLISECONDS = 500;
/** More than its pipe and our buffer hold cannot be its own any more. */
const BACKLOG_BYTES = 256 * 1024;

/** Any program as an agent. Its text is its answer; the JSON in it, if there is any, its structured answer. */
export function createCommandAgent(options: CommandAgentOptions): Agent {
  return {
    async *work(assignment, signal) {
      const { role } = assignment;
      const started = performance.now();
      const content = yield* runProgram(options, assignment, signal);
      const usage = { ...NOTHING_SPENT, seconds: (performance.now() - started) / 1000 };
      yield { type: "usage", role, usage };
      return { ...content, usage, tools_used: [], files_modified: [] };
    },
  };
}

async function* runProgram(
  options: CommandAgentOptions,
  assignment: Assignment,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ReplyContent> {
  if (signal.aborted) return { text: "", failure: cutFailure("aborted", options) };
  const tree = await startProgram(options, assignment);
  if (tree instanceof Error) return { text: "", failure: { code: "configuration", message: wordingOf(tree) } };
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
    return contentOf(text.text(), failure);
  } finally {
    limits.stop();
    drain.stop();
    await close(tree);
  }
}

async function startProgram(options: CommandAgentOptions, { role, iteration }: Assignment): Promise<Tree | Error> {
  const inherited = options.environment ?? process.env;
  const [command = "", ...args] = shellCommand(options.command, { path: inherited.PATH, pipefail: false });
  const environment = { ...inherited, E8_ROLE: role, E8_ITERATION: String(iteration) };
  const { working_directory: cwd, task_token } = options;
  const problem = directoryProblem(cwd);
  if (problem) return new WordedError(problem);
  try {
    return startTree({ command, args, cwd, environment, task_token, stdin: "pipe", stderr: "pipe" });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Ends what is left of the program, and our waiting for its output, whoever else may hold that open. */
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

/** What a shell answers when the program is not there, or is none. */
const SHELL_FOUND_NO_PROGRAM = [126, 127];

function failureOf(
  exit: Exit,
  cut: CutReason | undefined,
  { options, errors }: { options: CommandAgentOptions; errors: string },
): AgentFailure | undefined {
  if (cut) return cutFailure(cut, options);
  if (exit.code === 0) return undefined;
  const said = errors.trim() === "" ? "" : `: ${errors.trim()}`;
  if (exit.start_error !== null) return { code: "configuration", message: `${exit.start_error}${said}` };
  const code = SHELL_FOUND_NO_PROGRAM.includes(exit.code ?? 0) ? "configuration" : "crashed";
  const how = howItEnded(options.command, exit);
  return { code, message: changed(how, (text) => `${text}${said}`) };
}

function howItEnded(command: string, { signal, code }: Exit): Words {
  return signal
    ? { en: `\`${command}\` was ended by ${signal}`, ja: `\`${command}\` はシグナル ${signal} で終了しました` }
    : { en: `\`${command}\` exited with code ${code}`, ja: `\`${command}\` は終了コード ${code} で終了しました` };
}

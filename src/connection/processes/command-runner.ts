import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { message, type Statement } from "../../model/message.ts";
import { systemClock } from "../clock.ts";
import type { Clock } from "../ports/clock.ts";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../ports/commands.ts";
import type { Space } from "../ports/sandbox.ts";
import { type LimitOptions, watchLimits } from "./limits.ts";
import { OutputEnds, OutputTail } from "./output.ts";
import { endGroup, endTree, startTree, type Tree } from "./process-tree.ts";
import { directoryProblem } from "./programs.ts";
import type { Spaces } from "./sandbox/spaces.ts";
import { shellCommand, withoutJoining } from "./shell.ts";
import { modelSettingsOf, toolchainOf } from "./toolchain.ts";

export interface CommandRunnerOptions {
  /** The directory the commands run in. */
  project: string;
  /** That of worker and checks. */
  environment?: Environment;
  /** The user's own, for commands that run as the user; the same where absent. */
  user_environment?: Environment | undefined;
  task_token: string;
  /** The run's clock: nothing is started while the run is paused, and no time limit is reached. */
  clock?: Clock | undefined;
  /** Where the commands run; without them, all run as the user. */
  spaces?: Spaces;
}

const TAIL_BYTES = 16 * 1024;
const STDOUT_BYTES = 64 * 1024;
/** How long output is awaited after the command has exited. */
const DRAIN_MILLISECONDS = 500;
/** Processes that a command leaves in the background would disturb its next run: they get this long to end. */
const LEFTOVER_GRACE_MILLISECONDS = 400;

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  // Copied once: reading `process.env` asks the system for every variable.
  const environment = { ...(options.environment ?? process.env) };
  const user_environment = options.user_environment && { ...options.user_environment };
  return {
    async run(request, signal) {
      const { clock = systemClock } = options;
      await clock.going(signal);
      const started = clock.elapsed();
      const outcome = await outcomeOf({ ...options, environment, user_environment }, request, signal).catch(
        (error: Error) => neverStarted(error.message),
      );
      return { ...outcome, seconds: clock.elapsed() - started };
    },
    toolchain: async (commands) => toolchainOf({ environment, directory: options.project }, commands),
    modelSettings: async () => modelSettingsOf(environment),
    close: async () => options.spaces?.close?.(),
  };
}

type Outcome = Omit<CommandOutcome, "seconds">;

async function outcomeOf(
  options: CommandRunnerOptions,
  request: CommandRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  if (signal.aborted) return neverStarted(message("cancelled_before_start", {}));
  const problem = directoryProblem(placeOf(options, request));
  return problem
    ? neverStarted(problem)
    : follow(startShell(options, request), request, { signal, clock: options.clock });
}

function placeOf({ project }: CommandRunnerOptions, { place }: CommandRequest): string {
  return place?.directory ?? project;
}

function spaceFor(options: CommandRunnerOptions, request: CommandRequest): { space?: Space; directory: string } {
  const { spaces } = options;
  const { place, runs_as = "check" } = request;
  const directory = placeOf(options, request);
  if (!spaces || runs_as === "user") return { directory };
  if (runs_as === "worker") return { space: spaces.worker, directory };
  return place ? spaces.room(place) : { space: spaces.check, directory };
}

function startShell(options: CommandRunnerOptions, request: CommandRequest): Tree {
  const given = (request.runs_as === "user" && options.user_environment) || options.environment;
  const environment = { ...given, ...request.environment };
  const { pipefail, separate_stdout, stdin } = request;
  const [command = "", ...args] = shellCommand(request.command, {
    path: environment.PATH,
    pipefail,
    joins_output: !separate_stdout,
    arguments: request.arguments,
  });
  const { space, directory } = spaceFor(options, request);
  const tree = startTree({
    command,
    args,
    cwd: directory,
    space,
    environment,
    task_token: options.task_token,
    stdin: stdin === undefined ? "ignore" : "pipe",
    stderr: "pipe",
    guard_suffices: true,
  });
  tree.child.stdin?.end(stdin);
  return tree;
}

async function follow(
  tree: Tree,
  request: CommandRequest,
  limited: Pick<LimitOptions, "signal" | "clock">,
): Promise<Outcome> {
  const output = collectOutput(tree, request);
  let ending: Promise<void> | undefined;
  const { timeout_seconds } = request;
  const limits = watchLimits({ ...limited, timeout_seconds, silence_seconds: null }, () => {
    ending = endTree(tree);
  });
  const drained = once(tree.child, "close").catch(() => {});
  const exit = await tree.exit;
  limits.stop();
  if (exit.start_error !== null) return neverStarted(exit.start_error);
  await Promise.race([drained, sleep(DRAIN_MILLISECONDS, undefined, { ref: false })]);
  await (ending ?? endGroup(tree, LEFTOVER_GRACE_MILLISECONDS));
  const written = output();
  // A program that exits with 0 after our SIGTERM was still cut off.
  return limits.reason
    ? { ...ENDED, ...written, signal: exit.signal ?? "SIGTERM", timed_out: limits.reason === "timeout" }
    : { ...ENDED, ...written, exit_code: exit.code, signal: exit.signal };
}

/** Collects the command's output; the returned function stops collecting and returns it. */
function collectOutput({ child }: Tree, request: CommandRequest): () => Pick<Outcome, "output_tail" | "stdout"> {
  const tail = new OutputTail(TAIL_BYTES);
  const ends = request.separate_stdout ? new OutputEnds(request.stdout_bytes ?? STDOUT_BYTES) : undefined;
  const streams = [child.stdout, child.stderr];
  child.stderr?.on("data", (chunk: Buffer) => tail.add(ends ? chunk : withoutJoining(chunk)));
  child.stdout?.on("data", (chunk: Buffer) => {
    tail.add(chunk);
    ends?.add(chunk);
  });
  return () => {
    for (const stream of streams) stream?.destroy();
    return { output_tail: tail.text(), ...(ends && { stdout: ends.text() }) };
  };
}

const ENDED = { exit_code: null, signal: null, timed_out: false, start_error: null, output_tail: "" };

function neverStarted(start_error: Statement): Outcome {
  return { ...ENDED, start_error };
}

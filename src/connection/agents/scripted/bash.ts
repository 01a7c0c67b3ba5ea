import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../../model/environment.ts";
import type { Clock } from "../../ports/clock.ts";
import { watchLimits } from "../../processes/limits.ts";
import { OutputTail } from "../../processes/output.ts";
import { endTree, startTree, type Tree } from "../../processes/process-tree.ts";
import { shellCommand } from "../../processes/shell.ts";

export interface BashOptions {
  working_directory: string;
  environment: Environment;
  task_token: string;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 120_000;
const OUTPUT_BYTES = 30_000;
/** How long output may still come after the command itself has exited. */
const DRAIN_MILLISECONDS = 300;

/** Runs commands one after another. What they leave in the background lives as long as the answer. */
export class Shell {
  readonly #options: BashOptions;
  readonly #trees: Tree[] = [];

  constructor(options: BashOptions) {
    this.#options = options;
  }

  async run(command: string, timeout = DEFAULT_TIMEOUT_MILLISECONDS): Promise<{ text: string; is_error: boolean }> {
    const { signal, clock } = this.#options;
    const tree = this.#start(command);
    const output = new OutputTail(OUTPUT_BYTES);
    for (const pipe of [tree.child.stdout, tree.child.stderr]) pipe?.on("data", (chunk: Buffer) => output.add(chunk));
    const drained = once(tree.child, "close").catch(() => {});
    const limits = watchLimits(
      { signal, clock, timeout_seconds: timeout / 1000, silence_seconds: null },
      () => void endTree(tree),
    );
    const exit = await tree.exit;
    limits.stop();
    await Promise.race([drained, sleep(DRAIN_MILLISECONDS, undefined, { ref: false })]);
    signal.throwIfAborted();
    const said = output.text().trimEnd();
    if (exit.start_error !== null) return { text: exit.start_error, is_error: true };
    if (limits.reason) return { text: `Command timed out after ${timeout} ms\n${said}`, is_error: true };
    return exit.code === 0
      ? { text: said, is_error: false }
      : { text: `Exit code ${exit.code ?? exit.signal}\n${said}`, is_error: true };
  }

  async close(): Promise<void> {
    await Promise.all(this.#trees.map((tree) => endTree(tree)));
    for (const { child } of this.#trees) {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }

  #start(script: string): Tree {
    const { working_directory: cwd, environment, task_token } = this.#options;
    const options = { path: environment.PATH, pipefail: false, joins_output: true };
    const [command = "", ...args] = shellCommand(script, options);
    const tree = startTree({ command, args, cwd, environment, task_token, stdin: "ignore", stderr: "pipe" });
    this.#trees.push(tree);
    return tree;
  }
}

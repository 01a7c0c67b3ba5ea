import { randomUUID } from "node:crypto";
import type { Environment } from "../../../model/environment.ts";
import { shellQuoted } from "../../../model/shell-quotes.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Space } from "../../ports/sandbox.ts";
import { watchLimits } from "../../processes/limits.ts";
import { OutputTail } from "../../processes/output.ts";
import { type Exit, endTree, startTree, type Tree } from "../../processes/process-tree.ts";
import { readingShell, shellCommand } from "../../processes/shell.ts";

export interface BashOptions {
  working_directory: string;
  environment: Environment;
  task_token: string;
  space?: Space | undefined;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 120_000;
const OUTPUT_BYTES = 30_000;

/**
 * Runs commands one after another, in one process space. What they leave in the background lives as long as the answer, and the next
 * command sees it.
 */
export class Shell {
  readonly #options: BashOptions;
  #tree: Tree | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: BashOptions) {
    this.#options = options;
  }

  async run(command: string, timeout = DEFAULT_TIMEOUT_MILLISECONDS): Promise<{ text: string; is_error: boolean }> {
    const { signal, clock } = this.#options;
    this.#tree ??= this.#start();
    const tree = this.#tree;
    const output = new OutputTail(OUTPUT_BYTES);
    const ended = this.#give(tree, command, output);
    const limits = watchLimits(
      { signal, clock, timeout_seconds: timeout / 1000, silence_seconds: null },
      () => void this.close(),
    );
    const exit = await ended;
    limits.stop();
    if (exit.isOver) await this.close(); // the next command needs another shell
    signal.throwIfAborted();
    const said = output.text().trimEnd();
    if (exit.start_error !== null) return { text: exit.start_error, is_error: true };
    if (limits.reason) return { text: `Command timed out after ${timeout} ms\n${said}`, is_error: true };
    return exit.code === 0
      ? { text: said, is_error: false }
      : { text: `Exit code ${exit.code ?? exit.signal}\n${said}`, is_error: true };
  }

  /** Ends the shell with everything it has started. Who calls it a second time waits for the same end. */
  close(): Promise<void> {
    const tree = this.#tree;
    this.#tree = undefined;
    if (tree) this.#ending = end(tree);
    return this.#ending;
  }

  /** A shell that reads commands from its standard input. */
  #start(): Tree {
    const { working_directory: cwd, environment, task_token, space } = this.#options;
    const [command = "", ...args] = readingShell(environment.PATH);
    return startTree({ command, args, cwd, environment, task_token, space, stdin: "pipe", stderr: "pipe" });
  }

  /** Has the shell run the command, and waits for the line that says how it ended, or for the shell's own end. */
  async #give({ child, exit }: Tree, script: string, output: OutputTail): Promise<Exit & { isOver: boolean }> {
    const { PATH: path } = this.#options.environment;
    const words = shellCommand(script, { path, pipefail: false, joins_output: true }).map(shellQuoted);
    const sign = `\n${randomUUID()} `;
    const errors = (chunk: Buffer) => output.add(chunk);
    child.stderr?.on("data", errors);
    let rest = () => {};
    const told = new Promise<Exit & { isOver: boolean }>((resolve) => {
      const reader = readerOf(sign, output, (code) => {
        child.stdout?.off("data", reader.read);
        resolve({ code, signal: null, start_error: null, isOver: false });
      });
      child.stdout?.on("data", reader.read);
      rest = reader.rest;
    });
    child.stdin?.write(`${words.join(" ")} </dev/null; printf '${sign}%s\n' "$?"\n`);
    const ending = await Promise.race([told, exit.then((one) => ({ ...one, isOver: true }))]);
    child.stderr?.off("data", errors);
    if (ending.isOver) rest();
    return ending;
  }
}

async function end(tree: Tree): Promise<void> {
  await endTree(tree);
  tree.child.stdout?.destroy();
  tree.child.stderr?.destroy();
}

/** Hands the output on up to the sign, which the exit code follows. A part of the sign may come with the next chunk. */
function readerOf(sign: string, output: OutputTail, ended: (code: number) => void) {
  let held = Buffer.alloc(0);
  const rest = () => output.add(held);
  const read = (chunk: Buffer) => {
    const all = Buffer.concat([held, chunk]);
    const at = all.indexOf(sign);
    const code = at < 0 ? undefined : /^(\d+)\n/.exec(all.subarray(at + sign.length).toString())?.[1];
    const known = code === undefined ? Math.max(0, at < 0 ? all.length - sign.length : at) : at;
    output.add(all.subarray(0, known));
    held = all.subarray(known);
    if (code !== undefined) ended(Number(code));
  };
  return { read, rest };
}

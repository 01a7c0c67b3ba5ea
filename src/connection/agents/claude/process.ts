import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { OutputTail } from "../../commands/output-tail.ts";
import { type Exit, endTree, exitOf, startTree, type Tree } from "../../commands/process-tree.ts";

const STDERR_BYTES = 4 * 1024;
/** Interrupted, Claude Code tells what it has spent, and is gone within 0.2 s; this is for when it is not. */
const INTERRUPT_MILLISECONDS = 2000;

/** The one Claude Code of an answer, with everything it starts. */
export class ClaudeProcess {
  readonly #taskToken: string;
  readonly #errors = new OutputTail(STDERR_BYTES);
  #tree: Tree | undefined;
  #exit: Promise<Exit> | undefined;
  /** How it ended, once it has. */
  ended: Exit | undefined;

  constructor(taskToken: string) {
    this.#taskToken = taskToken;
  }

  get stderr(): string {
    return this.#errors.text().trim();
  }

  /** What the SDK calls to start it. The SDK's own signal is not used: it waits two seconds before it acts. */
  readonly spawn = ({ command, args, cwd = process.cwd(), env }: SpawnOptions): SpawnedProcess => {
    const task_token = this.#taskToken;
    this.#tree = startTree({ command, args, cwd, environment: env, task_token, stdin: "pipe", stderr: "pipe" });
    const child = this.#tree.child as ChildProcessByStdio<Writable, Readable, Readable>;
    child.stderr.on("data", (chunk: Buffer) => this.#errors.add(chunk));
    this.#exit = exitOf(this.#tree);
    void this.#exit.then((exit) => {
      this.ended = exit;
    });
    return child;
  };

  /** Asks it to stop and say what it has spent; whatever does not follow is ended. */
  async interrupt(): Promise<void> {
    this.#tree?.child.kill("SIGINT");
    await Promise.race([this.#exit, sleep(INTERRUPT_MILLISECONDS)]);
    await this.end();
  }

  /** Leaves nothing running. */
  async end(): Promise<void> {
    if (this.#tree) await endTree(this.#tree);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { OutputTail } from "../../processes/output.ts";
import {
  type Exit,
  endTree,
  isAlone,
  signalChild,
  startTree,
  type Tree,
  type TreeStart,
} from "../../processes/process-tree.ts";

/** A start of Claude Code, as the SDK asks for it. */
type Spawn = Pick<SpawnOptions, "command" | "args" | "cwd" | "env">;

const STDERR_BYTES = 4 * 1024;
/** Interrupted, Claude Code tells what it has spent, and is gone within 0.2 s; this is for when it is not. */
const INTERRUPT_MILLISECONDS = 2000;
const ALONE_MILLISECONDS = 50;
/** What it said last may still be on its way through the pipe. */
const DRAIN_MILLISECONDS = 300;
/** How long a process that it left running may hold its pipes open. */
const LEFTOVER_MILLISECONDS = 2000;

/** One Claude Code, with everything it starts. */
export class ClaudeProcess {
  readonly #start: Pick<TreeStart, "task_token" | "space">;
  readonly #errors = new OutputTail(STDERR_BYTES);
  #tree: Tree | undefined;
  #exited: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #resolveGone: () => void = () => {};
  /** How it ended, once it has. */
  exit: Exit | undefined;
  /** Settles when it was stopped and nothing more can come from it. */
  readonly gone: Promise<void> = new Promise((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor(start: Pick<TreeStart, "task_token" | "space">) {
    this.#start = start;
  }

  /** The end of stderr. */
  get stderr(): string {
    return this.#errors.text().trim();
  }

  /** What the SDK calls to start it. The SDK's own signal is not used: it waits two seconds before it acts. */
  readonly spawn = ({ command, args, cwd = process.cwd(), env }: Spawn): SpawnedProcess => {
    const tree = startTree({ ...this.#start, command, args, cwd, environment: env, stdin: "pipe", stderr: "pipe" });
    this.#tree = tree;
    tree.child.stderr?.on("data", (chunk: Buffer) => this.#errors.add(chunk));
    this.#exited = tree.exit.then((exit) => {
      this.exit = exit;
      void pause(LEFTOVER_MILLISECONDS).then(() => closePipes(tree));
    });
    if (this.#stopping) void this.end();
    return tree.child as SpawnedProcess; // stdin and stdout are pipes
  };

  /** Asks it to stop and say what it has spent. Whatever does not follow is ended. */
  interrupt(): void {
    if (this.#stopping) return;
    if (this.#tree) signalChild(this.#tree, "SIGINT");
    this.#stopping = this.#stop();
  }

  /** Whether nothing that it started is left. What is just ending gets a moment. */
  async isAlone(): Promise<boolean> {
    for (let tries = 0; tries < 3; tries += 1) {
      if (this.exit || !this.#tree) return false;
      if (isAlone(this.#tree)) return true;
      await sleep(ALONE_MILLISECONDS);
    }
    return false;
  }

  /** Leaves nothing running. */
  async end(): Promise<void> {
    if (this.#tree) await endTree(this.#tree);
  }

  async #stop(): Promise<void> {
    await Promise.race([this.#exited, pause(INTERRUPT_MILLISECONDS)]);
    await this.end();
    await pause(DRAIN_MILLISECONDS);
    this.#resolveGone();
  }
}

/** Destroyed without an end, a pipe would leave its reader waiting for ever. */
function closePipes({ child }: Tree): void {
  for (const pipe of [child.stdout, child.stderr]) {
    if (!pipe || pipe.destroyed) continue;
    pipe.push(null);
    setImmediate(() => pipe.destroy());
  }
}

/** Does not keep this program from ending: what is waited for does. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

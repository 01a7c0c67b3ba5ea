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

/** More at a time take longer together than one after another: each needs a core to itself. */
const AT_ONCE = 2;
/** A process that hangs while it starts must not keep others from starting. */
const LONGEST_MILLISECONDS = 10_000;

let starting = 0;
const queue: (() => void)[] = [];

/**
 * Waits until one more may start, in this whole process. What it returns says that the start is over; saying so twice is
 * harmless. Throws when the signal comes first.
 */
export async function turnToStart(signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  if (starting < AT_ONCE) starting += 1;
  else await turn(signal);
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    passOn();
  };
  const timer = setTimeout(over, LONGEST_MILLISECONDS);
  timer.unref();
  return over;
}

/** The next in the queue starts instead, if there is one. */
function passOn(): void {
  const next = queue.shift();
  if (next) next();
  else starting -= 1;
}

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      queue.splice(queue.indexOf(go), 1);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    queue.push(go);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

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

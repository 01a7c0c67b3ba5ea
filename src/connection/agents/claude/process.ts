import type { ChildProcess } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import { OutputTail } from "../../processes/output.ts";
import { type Exit, endTree, isAlone, startTree, type Tree } from "../../processes/process-tree.ts";
import { isSameSpawn, type Spawn } from "./foreseen-spawn.ts";

const STDERR_BYTES = 4 * 1024;
/** Interrupted, Claude Code tells what it has spent, and is gone within 0.2 s; this is for when it is not. */
const INTERRUPT_MILLISECONDS = 2000;
const ALONE_MILLISECONDS = 50;
/** What it said last may still be on its way through the pipe. */
const DRAIN_MILLISECONDS = 300;
/** How long what it has left running may hold its pipes open before nothing more is expected from there. */
const BEQUEST_MILLISECONDS = 2000;

/** One Claude Code, with everything it starts. */
export class ClaudeProcess {
  readonly #taskToken: string;
  /** The end of stderr, of the process in use. What a process that was started in vain has printed does not matter. */
  #errors = new OutputTail(STDERR_BYTES);
  #tree: Tree | undefined;
  /** What it says, to its end, for a reader who may come later. */
  #said = new PassThrough();
  /** What was started before the SDK asked. */
  #ahead: Spawn | undefined;
  /** Pending ends of processes that were started in vain. */
  readonly #farewells: Promise<void>[] = [];
  #exited: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #resolveGone: () => void = () => {};
  /** How it ended, once it has. */
  exit: Exit | undefined;
  /** Settles when it was stopped and nothing more can come from it. */
  readonly gone: Promise<void> = new Promise((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor(taskToken: string) {
    this.#taskToken = taskToken;
  }

  get stderr(): string {
    return this.#errors.text().trim();
  }

  /** Starts it before the SDK does. Whatever keeps it from starting is met again, and told of, when the SDK asks. */
  startAhead(foreseen: Spawn): void {
    try {
      this.#start(foreseen);
      this.#ahead = foreseen;
    } catch {
      this.#tree = undefined;
    }
  }

  /** What the SDK calls to start it. The SDK's own signal is not used: it waits two seconds before it acts. */
  readonly spawn = (asked: Spawn): SpawnedProcess => {
    const isForeseen = this.#ahead && isSameSpawn(this.#ahead, asked) && !this.exit;
    const foreseen = isForeseen ? this.#tree : undefined;
    if (this.#tree && !foreseen) this.#farewells.push(endTree(this.#tree));
    const { child } = foreseen ?? this.#start(asked);
    if (this.#stopping) void this.end();
    return saying(child, this.#said);
  };

  #start({ command, args, cwd = process.cwd(), env }: Spawn): Tree {
    const task_token = this.#taskToken;
    const tree = startTree({ command, args, cwd, environment: env, task_token, stdin: "pipe", stderr: "pipe" });
    this.#tree = tree;
    this.exit = undefined;
    const errors = new OutputTail(STDERR_BYTES);
    this.#errors = errors;
    this.#said = kept(tree.child.stdout);
    tree.child.stderr?.on("data", (chunk: Buffer) => errors.add(chunk));
    this.#exited = tree.exit.then((exit) => {
      if (tree === this.#tree) this.exit = exit;
      void pause(BEQUEST_MILLISECONDS).then(() => {
        tree.child.stdout?.destroy();
        tree.child.stderr?.destroy();
      });
    });
    return tree;
  }

  /** Asks it to stop and say what it has spent. Whatever does not follow is ended. */
  interrupt(): void {
    if (this.#stopping) return;
    this.#tree?.child.kill("SIGINT");
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
    await Promise.all(this.#farewells);
  }

  async #stop(): Promise<void> {
    await Promise.race([this.#exited, pause(INTERRUPT_MILLISECONDS)]);
    await this.end();
    await pause(DRAIN_MILLISECONDS);
    this.#resolveGone();
  }
}

/** The end of a child's own stdout comes when nobody listens, too, and never again; a reader after that would wait for ever. */
function kept(stdout: Readable | null): PassThrough {
  const said = new PassThrough();
  stdout?.pipe(said);
  stdout?.once("close", () => said.end());
  return said;
}

function saying(child: ChildProcess, stdout: Readable): SpawnedProcess {
  return {
    stdin: child.stdin as Writable, // every tree here is started with a pipe
    stdout,
    get killed() {
      return child.killed;
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal) => child.kill(signal),
    on: child.on.bind(child),
    once: child.once.bind(child),
    off: child.off.bind(child),
  };
}

/** Does not keep this program from ending: what is waited for does. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

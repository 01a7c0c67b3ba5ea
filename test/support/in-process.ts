import process from "node:process";
import { Readable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import { type Call, type Ended, type Sandbox, type ScriptedSandbox, sandbox, scriptedSandbox } from "./sandbox.ts";

/**
 * Runs the command line inside the test's own process, from its sources, which saves starting Node each time. For tests of what e8
 * says and records. Those whose subject is a process (signals, kills, terminals, pipes) use `sandbox` as it is.
 */
export function inProcess<T extends Sandbox>(box: T): T {
  const e8: Sandbox["e8"] = (args, call) => {
    if (call?.through) return box.e8(args, call); // there must be a program to start
    const environment = { ...box.env, ...call?.env };
    return inTurn(() => runMain(args, { cwd: box.project, stdin: "", ...call, env: environment }));
  };
  return { ...box, e8 };
}

/** A sandbox whose `e8` runs in this process. */
export async function quickSandbox(story?: Story): Promise<Sandbox> {
  return inProcess(await sandbox(story));
}

/** The same, with the scripted agent. */
export async function quickScripted(story: Story, settings?: object): Promise<ScriptedSandbox> {
  return inProcess(await scriptedSandbox(story, settings));
}

let last: Promise<unknown> = Promise.resolve();

/** What belongs to a process, such as its directory, is there once: one run after the other. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(run);
  last = mine.catch(() => {});
  return mine;
}

async function runMain(args: readonly string[], call: Required<Omit<Call, "through">>): Promise<Ended> {
  const outside = new Outside(call);
  try {
    await main(args);
  } catch (error) {
    if (outside.code === undefined) throw error;
  } finally {
    outside.restore();
  }
  return { code: outside.code ?? 0, stdout: outside.stdout, stderr: outside.stderr };
}

/** Changes it in place: only so does a time zone take effect. */
function setEnvironment(env: Call["env"] = {}): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGTSTP", "SIGCONT"] as const;

/** Makes this process look like a new one, and hears what is written, until it is restored. */
class Outside {
  stdout = "";
  stderr = "";
  /** Known once the program has exited. */
  code: number | undefined;
  readonly #undo: (() => void)[] = [];

  constructor({ cwd, env, stdin }: Required<Omit<Call, "through">>) {
    process.setMaxListeners(0); // each run adds some
    const home = process.cwd();
    process.chdir(cwd);
    this.#undo.push(() => process.chdir(home));
    const own = { ...process.env };
    setEnvironment(env);
    this.#undo.push(() => setEnvironment(own));
    this.#replace("stdin", Readable.from([Buffer.from(stdin)]));
    this.#replace("exit", (code?: number) => {
      this.code ??= Number(code ?? process.exitCode ?? 0);
      throw new Error("The program has exited.");
    });
    const { exitCode } = process;
    process.exitCode = undefined;
    this.#undo.push(() => {
      process.exitCode = exitCode;
    });
    for (const name of ["stdout", "stderr"] as const) this.#hear(name);
    for (const signal of SIGNALS) this.#forgetListeners(signal);
  }

  restore(): void {
    this.code ??= Number(process.exitCode ?? 0);
    for (const undo of this.#undo) undo();
  }

  #replace(name: "stdin" | "exit", value: unknown): void {
    const own = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor;
    Object.defineProperty(process, name, { configurable: true, enumerable: true, writable: true, value });
    this.#undo.push(() => Object.defineProperty(process, name, own));
  }

  #hear(name: "stdout" | "stderr"): void {
    const stream = process[name];
    const { write } = stream;
    stream.setMaxListeners(0);
    stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
      if (this.code === undefined) this[name] += typeof text === "string" ? text : Buffer.from(text).toString();
      const done = rest.find((one) => typeof one === "function");
      if (done) queueMicrotask(() => done());
      return true;
    };
    this.#undo.push(() => {
      stream.write = write;
    });
  }

  #forgetListeners(signal: (typeof SIGNALS)[number]): void {
    const before = process.listeners(signal);
    this.#undo.push(() => {
      const added = process.listeners(signal).filter((listener) => !before.includes(listener));
      for (const listener of added) process.off(signal, listener);
    });
  }
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const loader = new URL("./typescript-register.mjs", import.meta.url).href;

export interface Program {
  child: ChildProcessWithoutNullStreams;
  pid: number;
  /** The next line it prints, as JSON; fails when it ends before. */
  next(): Promise<unknown>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts one of the programs beside this file in a process of its own, which is ended with the test. */
export function startProgram(name: string, ...args: string[]): Program {
  return start(commandOf(name, args));
}

/** The same in an environment of its own. */
export function startProgramWith(environment: NodeJS.ProcessEnv, name: string, ...args: string[]): Program {
  return start(commandOf(name, args), environment);
}

/** The same under a limit on the size of files, in KiB: what lies beyond cannot be written. */
export function startLimited(kibibytes: number, name: string, ...args: string[]): Program {
  return start(["bash", "-c", `ulimit -f ${kibibytes}; exec "$@"`, "bash", ...commandOf(name, args)]);
}

/** The same with few file descriptors, which it can use up. */
export function startStarved(name: string, ...args: string[]): Program {
  return start(["bash", "-c", 'ulimit -n 256; exec "$@"', "bash", ...commandOf(name, args)]);
}

function commandOf(name: string, args: string[]): string[] {
  const program = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
  return [process.execPath, "--import", loader, program, ...args];
}

function start([command = "", ...args]: string[], env = process.env): Program {
  const child = spawn(command, args, { env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const complaints: Buffer[] = [];
  child.stderr.on("data", (data: Buffer) => complaints.push(data));
  child.stdin.on("error", () => {}); // it may be gone already
  const exited = once(child, "exit");
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => kill("SIGKILL"));
  return {
    child,
    pid: child.pid ?? 0,
    kill,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The program ended: ${Buffer.concat(complaints).toString()}`);
      return JSON.parse(value);
    },
  };
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { type Installed, wrapped } from "./install.ts";
import { type ModelServer, startModelServer } from "./servers/server.ts";
import type { TriedAgent } from "./tried/agent.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

/** One run of e8 with an agent, in a home and a project of their own, with a model on loopback. */
export interface Place {
  agent: TriedAgent;
  home: string;
  project: string;
  model: ModelServer;
  /** The agent itself, without our wrapper. */
  program: string;
  /** The `node_modules` that it is installed in. */
  modules: string;
  environment: Record<string, string | undefined>;
  start(args: readonly string[], more?: Record<string, string | undefined>): Running;
  /** Runs a task file with `--json-events`. */
  run(task: object, more?: Record<string, string | undefined>): Promise<Ended>;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string | undefined>;
  /** The starts of the agent's program so far, each with its arguments. */
  starts(): Promise<string[]>;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  events: RunEvent[];
  result: LoopResult | undefined;
}

export interface Tried {
  agent: TriedAgent;
  installed: Installed;
}

/** Makes a place, uses it and leaves nothing of it. The story is made when the project's path is known. */
export async function inPlace<T>(
  { agent, installed }: Tried,
  storyIn: (project: string) => Story,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-agents-")));
  const project = join(home, "project");
  for (const name of ["project", "tmp", ".cache"]) await mkdir(join(home, name));
  const model = await startModelServer(storyIn(project));
  const own = await agent.settle(home, model.url);
  const diary = join(home, agent.folder, "e8-starts");
  await mkdir(dirname(diary), { recursive: true });
  await wrapped(installed, agent, { folder: join(home, "bin"), diary });
  const environment = { ...plainEnvironment(home), ...own };
  const start: Place["start"] = (args, more = {}) =>
    startE8(args, { project, environment: { ...environment, ...more } });
  const read: Place["read"] = (path) => readFile(join(project, path), "utf8").catch(() => undefined);
  const write: Place["write"] = (path, content) => writeFile(join(project, path), content);
  const run: Place["run"] = async (task, more) => {
    await write("task.yaml", JSON.stringify(task));
    return start([...RUN, "--agent", agent.choice], more).ended;
  };
  const starts = async () =>
    linesOf((await readFile(diary, "utf8").catch(() => "")).replaceAll("start --version\n", ""));
  try {
    return await use({
      agent,
      home,
      project,
      model,
      program: installed.program,
      modules: installed.modules,
      environment,
      start,
      run,
      write,
      read,
      starts,
    });
  } finally {
    await endAll(home);
    await model.close();
    await rm(home, { recursive: true, force: true });
  }
}

const RUN = ["run", "--config", "task.yaml", "--json-events"];

/** Nothing of the user's but the PATH. */
function plainEnvironment(home: string): Record<string, string> {
  return {
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
  };
}

interface Call {
  project: string;
  environment: Record<string, string | undefined>;
}

function startE8(args: readonly string[], { project, environment }: Call): Running {
  const child = spawn(process.execPath, [E8, ...args], {
    cwd: project,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = (async () => {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    const events = linesOf(stdout).flatMap(eventIn);
    const result = events.find((event) => event.type === "run-end")?.result;
    return { code, stdout, stderr, events, result };
  })();
  return { child, ended };
}

function eventIn(line: string): RunEvent[] {
  try {
    return [(JSON.parse(line) as { event: RunEvent }).event];
  } catch {
    return [];
  }
}

export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** Processes that belong to a place: its home stands in their environment or their arguments. */
export async function processesOf(home: string): Promise<{ pid: number; command: string }[]> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)("ps", ["axeww", "-o", "pid=,stat=,command="], options);
  return linesOf(stdout).flatMap((line) => {
    const [, pid = "", state = "", command = ""] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isOurs = command.includes(home) && !state.startsWith("Z");
    return isOurs ? [{ pid: Number(pid), command: command.slice(0, 120) }] : [];
  });
}

/** Seconds until nothing of the place runs any more; throws what is left after a while. */
export async function allGone(home: string, within = 20): Promise<number> {
  const began = Date.now();
  for (;;) {
    const left = await processesOf(home);
    const seconds = (Date.now() - began) / 1000;
    if (left.length === 0) return seconds;
    if (seconds > within) throw new Error(`left after ${within} s: ${left.map(({ command }) => command).join(" | ")}`);
    await sleep(100);
  }
}

async function endAll(home: string): Promise<void> {
  for (const { pid } of await processesOf(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

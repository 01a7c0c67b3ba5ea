import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../../model/environment.ts";
import { type Message, message } from "../../../model/message.ts";
import type { SandboxAdapter } from "../../../model/sandbox.ts";
import type { Sandbox, View } from "../../ports/sandbox.ts";
import { findProgram, OWN_SESSION } from "../programs.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { namespaces, type Tools } from "./namespaces.ts";
import { kindOfTrial, oncePossible } from "./trials.ts";

/** Programs run as they are. */
export const noSandbox: Sandbox = { adapter: "none", enclose: () => undefined };

export interface Trial {
  /** A directory of ours, outside of what the views leave to programs. */
  folder: string;
  /** What must be possible. */
  views: readonly View[];
  environment: Environment;
  /** The only one that will do. */
  adapter?: SandboxAdapter;
}

export interface Choice {
  sandbox: Sandbox;
  /** Why programs run as they are. */
  problem?: Message;
}

/** The first sandbox in which a program can be started with each of the views. */
export async function chooseSandbox(trial: Trial): Promise<Choice> {
  const candidates = candidatesFor(trial).filter(({ adapter }) => adapter === (trial.adapter ?? adapter));
  let said = "";
  for (const [rank, sandbox] of candidates.entries()) {
    const kind = kindOfTrial(trial, `${rank} ${sandbox.adapter}`);
    const problem = await oncePossible(kind, () => firstProblem(sandbox, trial));
    if (problem === undefined) return { sandbox };
    said ||= problem;
  }
  if (candidates.length > 0) return { sandbox: noSandbox, problem: message("sandbox_refused", { said }) };
  const { adapter } = trial;
  return { sandbox: noSandbox, problem: message("sandbox_programs_missing", { ...(adapter && { adapter }) }) };
}

/** Every sandbox whose programs are there, the best one first. */
export function candidatesFor({ folder }: Pick<Trial, "folder">): Sandbox[] {
  if (process.platform !== "linux") return [];
  const bwrap = findProgram("bwrap", process.env.PATH);
  const tools = toolsOnPath();
  return [
    ...(bwrap ? [bubblewrap(bwrap)] : []),
    ...(tools ? [namespaces({ tools, extra: isRoot() ? [] : AS_USER, folder })] : []),
    // Root in a container may be allowed only what an ordinary user is.
    ...(bwrap && isRoot() ? [bubblewrap(bwrap, ["--unshare-user"])] : []),
    ...(tools && isRoot() ? [namespaces({ tools, extra: AS_USER, folder })] : []),
  ];
}

const AS_USER = ["--user", "--map-current-user", "--keep-caps"];

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function toolsOnPath(): Tools | undefined {
  const names = ["unshare", "setpriv", "mount", "umount", "mkdir", "ln", "sh"] as const;
  const found = names.map((name) => [name, findProgram(name, process.env.PATH)] as const);
  return found.every(([, path]) => path !== undefined) ? (Object.fromEntries(found) as unknown as Tools) : undefined;
}

const LONGEST_MILLISECONDS = 10_000;

async function firstProblem(sandbox: Sandbox, trial: Trial): Promise<string | undefined> {
  const problems = await Promise.all(trial.views.map((view) => problemWith(sandbox, view, trial)));
  return problems.find((one) => one !== undefined);
}

/** Why a program cannot be started inside; undefined where it can. */
async function problemWith(sandbox: Sandbox, view: View, { environment }: Trial): Promise<string | undefined> {
  const program = findProgram("true", process.env.PATH) ?? "true";
  const [command = "", ...args] = sandbox.enclose({ command: program, args: [], cwd: "/", environment }, view) ?? [];
  try {
    const child = spawn(command, args, {
      ...OWN_SESSION,
      cwd: "/",
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: LONGEST_MILLISECONDS,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    const [code] = await once(child, "close");
    return code === 0 ? undefined : said.trim().split("\n")[0] || `${command} ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

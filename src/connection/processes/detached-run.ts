import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../model/environment.ts";
import { EventEnvelope } from "../../model/events.ts";
import type { TaskId } from "../../model/task.ts";
import { PACKAGE } from "../files.ts";

const PROGRAM = fileURLToPath(new URL("bin/e8.js", PACKAGE));

export interface DetachedStart {
  /** The words of a command that announces its events with `--json-events`. */
  words: readonly string[];
  directory: string;
  environment: Environment;
  /** For its standard input. */
  input: string;
}

/** The task of its first event, or what it said before it ended without one. */
export type DetachedBeginning = { task_id: TaskId } | { said: string };

const Beginning = EventEnvelope.pick({ task_id: true });

/**
 * Starts e8 as a process that outlives this one: it has its own session, and keeps no pipe to us once its run has begun. Nothing is read
 * by a shell.
 */
export async function startDetached({
  words,
  directory,
  environment,
  input,
}: DetachedStart): Promise<DetachedBeginning> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: directory, env: environment, detached: true });
  const { stdin, stdout, stderr } = child;
  for (const pipe of [stdin, stdout, stderr]) pipe.on("error", () => {}); // it may end early: then it has said why
  stdin.end(input);
  const said = text(stderr).catch(() => "");
  const ended = once(child, "exit").catch((error: unknown) => [String(error)]);
  const line = await firstLine(stdout);
  if (line === undefined) {
    const [code] = await ended;
    return { said: (await said).trim() || String(code) };
  }
  for (const pipe of [stdout, stderr]) pipe.destroy();
  child.unref();
  return Beginning.parse(JSON.parse(line));
}

async function firstLine(stdout: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input: stdout })) return line;
  return undefined;
}

import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PACKAGE } from "../files.ts";
import { askThrough, type GitAnswer, type GitQuestion, NO_ANSWER, runGit } from "./git.ts";
import { processTable } from "./process-table.ts";
import { OWN_SESSION } from "./programs.ts";

/** The program of the helper. It is not there where the sources run as they are. */
const PROGRAM = fileURLToPath(new URL("dist/e8/git-helper.cjs", PACKAGE));

/** What it makes is read at once: it needs no room for much that is new. */
const SMALL = ["--max-semi-space-size=1"];

/** What the helper is sent, and what it sends back. */
export interface HelperQuestion {
  number: number;
  args: readonly string[];
  question: GitQuestion;
}
export interface HelperAnswer {
  number: number;
  answer: GitAnswer;
}

let held: { holders: number; stop: () => void } | undefined;

/**
 * Has a small process start every git, until the returned function is called. The system copies the memory map of a process that starts
 * another one: for a process that works through a backlog this takes longer than most questions, and nothing else goes on meanwhile.
 */
export function holdGitHelper(): () => void {
  if (!existsSync(PROGRAM)) return () => {};
  held ??= { holders: 0, stop: startHelper() };
  held.holders += 1;
  let isLeft = false;
  return () => {
    if (isLeft || !held) return;
    isLeft = true;
    held.holders -= 1;
    if (held.holders > 0) return;
    held.stop();
    held = undefined;
  };
}

function startHelper(): () => void {
  const helper = fork(PROGRAM, [], { ...OWN_SESSION, stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: SMALL });
  const waiting = new Map<number, (answer: GitAnswer) => void>();
  const mark = randomUUID();
  let isLeft = false;
  const gone = async () => {
    if (!isLeft) askThrough(runGit);
    const unanswered = [...waiting.values()];
    waiting.clear();
    release(helper);
    if (unanswered.length > 0) await gitsEnded(mark); // whoever is told that git has failed takes its locks away
    for (const resolve of unanswered) resolve(NO_ANSWER); // what was asked may have been done: it is not asked again
  };
  helper.on("message", ({ number, answer }: HelperAnswer) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
    if (waiting.size === 0) release(helper);
  });
  helper.on("disconnect", gone); // comes also where nothing but the waiting keeps this process alive, which `exit` does not
  helper.on("exit", gone);
  helper.on("error", gone);
  release(helper);
  let count = 0;
  askThrough((args, question) => {
    if (!helper.connected) return runGit(args, question);
    return new Promise((resolve) => {
      const number = ++count;
      waiting.set(number, resolve);
      helper.ref(); // somebody waits
      helper.channel?.ref();
      const { environment = process.env } = question;
      const asked: HelperQuestion = {
        number,
        args,
        question: { ...question, environment: { ...environment, [ASKED_OF]: mark } },
      };
      helper.send(asked, (error) => void (error && gone()));
    });
  });
  return () => {
    isLeft = true;
    askThrough(runGit);
    if (helper.connected) helper.disconnect(); // it ends then
  };
}

/** In the environment of every git of a helper. */
const ASKED_OF = "ENDLESS8_GIT_HELPER";
const PAUSE_MS = 50;
const PATIENCE = 120_000 / PAUSE_MS;

/** A git is not killed with its helper. */
async function gitsEnded(mark: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += 1) {
    if (!isAtWork(mark)) return;
    await sleep(PAUSE_MS);
  }
}

function isAtWork(mark: string): boolean {
  try {
    return processTable().carrying(`${ASKED_OF}=${mark}`).size > 0;
  } catch {
    return false; // nobody can see
  }
}

/** Neither keeps this process from ending. */
function release(helper: ChildProcess): void {
  helper.unref();
  helper.channel?.unref();
}

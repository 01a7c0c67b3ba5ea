import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PACKAGE } from "../files.ts";
import { askThrough, type GitAnswer, type GitQuestion, NO_ANSWER, runGit } from "./git.ts";
import { OWN_SESSION } from "./programs.ts";

/** The program of the helper. It is not there where the sources run as they are. */
const PROGRAM = fileURLToPath(new URL("dist/e8/git-helper.js", PACKAGE));

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
  const helper = fork(PROGRAM, [], { ...OWN_SESSION, stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] });
  const waiting = new Map<number, (answer: GitAnswer) => void>();
  const gone = () => {
    askThrough(runGit); // what was asked may have been done: it is not asked again
    for (const resolve of waiting.values()) resolve(NO_ANSWER);
    waiting.clear();
    release(helper);
  };
  helper.on("message", ({ number, answer }: HelperAnswer) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
    if (waiting.size === 0) release(helper);
  });
  helper.on("exit", gone);
  helper.on("error", gone);
  release(helper);
  let count = 0;
  askThrough((args, question) => {
    if (!helper.connected) return runGit(args, question);
    return new Promise((resolve) => {
      const number = ++count;
      waiting.set(number, resolve);
      helper.channel?.ref(); // somebody waits
      const { environment = process.env } = question;
      const asked: HelperQuestion = { number, args, question: { ...question, environment } };
      helper.send(asked, (error) => void (error && gone()));
    });
  });
  return () => {
    askThrough(runGit);
    if (helper.connected) helper.disconnect(); // it ends then
  };
}

/** Neither keeps this process from ending. */
function release(helper: ChildProcess): void {
  helper.unref();
  helper.channel?.unref();
}

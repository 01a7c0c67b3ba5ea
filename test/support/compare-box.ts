import type { Comparison } from "../../src/model/comparison.ts";
import { inProcess } from "./in-process.ts";
import { git, write } from "./repository.ts";
import { type Ended, type Sandbox, sandbox } from "./sandbox.ts";

/** A repository whose user stands on `mine`, with changes of their own; task.yaml wants done.txt. */
export async function compareBox(): Promise<Sandbox> {
  const box = await sandbox();
  delete box.env.ENDLESS8_PROOF;
  await git(box.project, "init", "-q");
  await write(box.project, {
    "check.sh": "grep -q done done.txt\n",
    "a.txt": "one\n",
    ".gitignore": ".e8/\n*.log\n",
    "task.yaml": "task: Write done.txt\ncriteria: [{ type: command, command: sh check.sh }]\n",
  });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "first");
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");
  await write(box.project, { "a.txt": "the user is typing\n" });
  return box;
}

/** The same, without a process for each call. */
export async function quickCompareBox(): Promise<Sandbox> {
  return inProcess(await compareBox());
}

export function programs(...scripts: string[]): string[] {
  return scripts.flatMap((script) => ["--agent", `command:${script}`]);
}

export function comparisonIn({ stdout }: Ended): Comparison {
  return JSON.parse(stdout);
}

export async function branches({ project }: Sandbox): Promise<string[]> {
  const { length } = "  ";
  return (await git(project, "branch", "--list", "e8/*"))
    .split("\n")
    .filter(Boolean)
    .map((line) => line.slice(length));
}

export async function worktrees({ project }: Sandbox): Promise<number> {
  return (await git(project, "worktree", "list")).trim().split("\n").length - 1;
}

export async function usersState({ project }: Sandbox): Promise<string[]> {
  const asked = [["rev-parse", "HEAD", "mine"], ["status", "--porcelain"], ["stash", "list"], ["diff"]];
  return Promise.all(asked.map((args) => git(project, ...args)));
}

import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BacklogResult } from "../../src/model/backlog.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { quickSandbox } from "./in-process.ts";
import { addRemote } from "./landed-backlog.ts";
import { git, write } from "./repository.ts";
import type { Sandbox } from "./sandbox.ts";

/** A repository whose user stands on `mine`; issue N wants done-N.txt. The values are what else an issue says. */
export async function backlogBox(issues: Record<number, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await git(box.project, "init", "-q");
  await write(box.project, { "check.sh": "grep -q done done-$1.txt\n", "a.txt": "one\n", ".gitignore": ".e8/\n" });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "first");
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");
  await mkdir(join(box.home, ".cache")); // workers may write there
  for (const [number, more] of Object.entries(issues)) await addIssue(box, Number(number), more);
  return box;
}

export async function addIssue(box: Sandbox, number: number, more = ""): Promise<void> {
  const check = `\`\`\`check\nsh check.sh ${number}\n\`\`\``;
  const text = `---\ntitle: Issue ${number}\ncreated_at: 2026-01-0${number}T00:00:00Z\n---\n${check}\n\n${more}\n`;
  await write(box.project, { [`.e8/issues/${number}.md`]: text });
}

/** Reads from its prompt which issue it works on: `$n`. */
export function worker(script: string): string[] {
  const number = 'n=$(grep -o "check.sh [0-9]*" | head -1 | cut -d" " -f2)';
  return ["--agent-command", `${number}; ${script}; echo worked`];
}

export const RUN = ["orchestrate", "--base", "main", "--json"];
export const HONEST = worker("echo done > done-$n.txt");

export function outcomeOf({ stdout }: { stdout: string }): BacklogResult {
  return JSON.parse(stdout);
}

/** Waits for a file that a worker or a hook writes. */
export function appears({ home }: Sandbox, name: string): Promise<void> {
  return eventually(`${name} is there`, () => existsSync(join(home, name)));
}

/** Branches, worktrees and locks that are still there. */
export async function leftovers(box: Sandbox): Promise<string[]> {
  const branches = (await git(box.project, "branch", "--list", "feature/*")).split("\n").filter(Boolean);
  const worktrees = (await git(box.project, "worktree", "list")).trim().split("\n").slice(1);
  const locks = existsSync(join(box.project, ".git/e8")) ? await readdir(join(box.project, ".git/e8")) : [];
  return [...branches, ...worktrees, ...locks];
}

/** A remote that says in `.cache/receiving` that something is pushed, and takes it when `.cache/go` is there. */
export async function slowRemote(box: Sandbox): Promise<string> {
  const remote = await addRemote(box);
  const hook = join(remote, "hooks/pre-receive");
  const wait = `for i in $(seq 600); do [ -e '${box.home}/.cache/go' ] && exit 0; sleep 0.1; done`;
  await writeFile(hook, `#!/bin/sh\ntouch '${box.home}/.cache/receiving'\n${wait}\n`);
  await chmod(hook, 0o755);
  return remote;
}

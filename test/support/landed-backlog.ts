import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { git, write } from "./repository.ts";
import type { Sandbox } from "./sandbox.ts";

/** What must hold after a backlog was worked through, whatever happened meanwhile. */

/** The check of an issue that wants done-N.txt. No file may have the markers of a conflict. */
export function checkOf(issue: number): string {
  return `grep -qx done done-${issue}.txt && ! grep -rqE '^(<<<<<<<|>>>>>>>) ' --exclude-dir=.git .`;
}

export async function addIssues({ project }: Sandbox, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const head = `---\ntitle: Write done-${number}.txt\ncreated_at: 2026-01-0${number}T00:00:00Z\n---\n`;
    const text = `${head}Write it.\n\n\`\`\`check\n${checkOf(number)}\n\`\`\`\n`;
    await write(project, { [`.e8/issues/${number}.md`]: text });
  }
}

/** A bare repository beside the project, as `origin` by default. */
export async function addRemote({ project, home }: Sandbox, name = "origin"): Promise<string> {
  const remote = join(home, "remote.git");
  await git(home, "init", "-q", "--bare", "-b", "main", "remote.git");
  await git(project, "remote", "add", name, remote);
  await git(project, "push", "-q", "--no-verify", name, "main");
  return remote;
}

/** The issues whose work has landed, oldest first. Others' commits are left out. */
export async function landings(repository: string, base: string): Promise<number[]> {
  const titles = await git(repository, "log", "--first-parent", "--reverse", "--format=%s", base);
  return [...titles.matchAll(/^Merge feature\/issue-(\d+) into /gm)].map(([, number]) => Number(number));
}

/** Checks out each commit of the base, oldest first, and runs the checks of all issues that have landed by then. */
export async function expectGreen(box: Sandbox, repository: string, base: string): Promise<void> {
  const commits = (await git(repository, "rev-list", "--first-parent", "--reverse", base)).trim().split("\n");
  const place = join(box.home, "every commit");
  await git(box.home, "clone", "-q", "--no-checkout", repository, place);
  await git(place, "fetch", "-q", "origin", base);
  for (const commit of commits) {
    await git(place, "checkout", "-q", "--force", "--detach", commit);
    for (const issue of await landings(place, commit)) await expectMet(place, issue);
  }
  await rm(place, { recursive: true });
}

async function expectMet(place: string, issue: number): Promise<void> {
  await git(place, "-c", `alias.check=!${checkOf(issue)}`, "check");
}

/** How an issue of the folder stands: its state, how many comments it has, and which pull requests. */
export async function issueIn({ project }: Sandbox, number: number) {
  const folder = join(project, ".e8/issues");
  const text = await readFile(join(folder, `${number}.md`), "utf8");
  const comments = await readdir(join(folder, `${number}.comments`)).catch(() => []);
  return { is_closed: text.includes("state: CLOSED"), comments: comments.length };
}

/** How many pull requests of each head the folder has. */
export async function pullRequests({ project }: Sandbox): Promise<Record<string, number>> {
  const folder = join(project, ".e8/issues");
  const names = (await readdir(folder)).filter((name) => /^\d+\.md$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const heads = texts.flatMap((text) => /^head: (.+)$/m.exec(text)?.[1] ?? []);
  return Object.fromEntries(heads.map((head) => [head, heads.filter((one) => one === head).length]));
}

/** Branches, worktrees and locks of ours that are still there. */
export async function leftOfBranches({ project, home }: Sandbox): Promise<string[]> {
  const branches = (await git(project, "branch", "--list", "feature/*")).split("\n").filter(Boolean);
  const worktrees = (await git(project, "worktree", "list")).trim().split("\n").slice(1);
  const locks = existsSync(join(project, ".git/e8")) ? await readdir(join(project, ".git/e8")) : [];
  const folders = (await readdir(home)).filter((name) => name.endsWith(".worktrees"));
  return [...branches, ...worktrees, ...locks, ...folders];
}

export async function expectNothingLeft(box: Sandbox): Promise<void> {
  expect(await leftOfBranches(box)).toEqual([]);
  expect(await git(box.project, "fsck", "--no-dangling")).toBe("");
}

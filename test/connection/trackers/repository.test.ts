import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseRemote, repositoryOf } from "../../../src/connection/trackers/create-tracker.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

test.each([
  ["https://github.com/owner/repo.git", "github.com"],
  ["https://github.com/owner/repo", "github.com"],
  ["https://github.com/owner/repo/", "github.com"],
  ["https://GitHub.com/owner/repo.git/", "github.com"],
  ["https://user:secret@github.com/owner/repo.git", "github.com"],
  ["git@github.com:owner/repo.git", "github.com"],
  ["git@github.com:/owner/repo", "github.com"],
  ["github.com:owner/repo.git", "github.com"],
  ["ssh://git@github.com/owner/repo.git", "github.com"],
  ["ssh://git@ssh.github.com:443/owner/repo.git", "github.com"],
  ["git://github.com/owner/repo.git", "github.com"],
  ["org-1234@github.com:owner/repo.git", "github.com"],
  ["https://git.example.co.jp:8443/owner/repo.git", "git.example.co.jp"],
  ["ssh://git@git.example.co.jp:2222/owner/repo.git", "git.example.co.jp"],
])("%s is owner/repo", (remote, host) => {
  expect(parseRemote(remote)).toEqual({ host, owner: "owner", repo: "repo" });
});

test("a repository's name may contain a dot", () => {
  expect(parseRemote("git@github.com:owner/site.github.io.git")).toMatchObject({ repo: "site.github.io" });
});

test.each(["", "/srv/git/repo.git", "../repo", "https://github.com/", "https://github.com/owner", "file:///srv/a/b"])(
  "%j is not a repository",
  (remote) => {
    expect(parseRemote(remote)).toBeUndefined();
  },
);

test("a project's repository is the one of its origin", async () => {
  const project = await temporaryDirectory();
  execFileSync("git", ["init", "-q", project]);
  expect(await repositoryOf(project)).toBeUndefined();

  execFileSync("git", ["remote", "add", "origin", "git@github.com:owner/repo.git"], { cwd: project });

  expect(await repositoryOf(project)).toEqual({ host: "github.com", owner: "owner", repo: "repo" });
});

test("without git there is no repository", async () => {
  const project = await temporaryDirectory();

  expect(await repositoryOf(project, { PATH: project })).toBeUndefined();
});

test("git runs in its own process group: Ctrl-C at the terminal does not reach it", async () => {
  const project = await temporaryDirectory();
  const git = '#!/bin/sh\necho "git@github.com:$$/$(ps -o pgid= -p $$ | tr -d " ").git"\n';
  await writeFile(join(project, "git"), git, { mode: 0o755 });

  const { owner, repo } = (await repositoryOf(project, { PATH: `${project}:${process.env.PATH}` })) ?? {};

  expect(owner).toMatch(/^\d+$/);
  expect(repo).toBe(owner);
});

test("inside a git hook, the project's own repository is asked", async () => {
  const [project, hooked] = [await temporaryDirectory(), await temporaryDirectory()];
  for (const directory of [project, hooked]) execFileSync("git", ["init", "-q", directory]);
  execFileSync("git", ["remote", "add", "origin", "git@github.com:owner/repo.git"], { cwd: project });
  const environment = { ...process.env, GIT_DIR: join(hooked, ".git") };

  expect(await repositoryOf(project, environment)).toMatchObject({ repo: "repo" });
});

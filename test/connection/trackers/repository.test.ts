import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseRemote, repositoryOf } from "../../../src/connection/trackers/repository.ts";
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

test("a repository's name may hold a dot", () => {
  expect(parseRemote("git@github.com:owner/site.github.io.git")).toMatchObject({ repo: "site.github.io" });
});

test.each(["", "/srv/git/repo.git", "../repo", "https://github.com/", "https://github.com/owner", "file:///srv/a/b"])(
  "%j names none",
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

test("without git there is none", async () => {
  const project = await temporaryDirectory();

  expect(await repositoryOf(project, { PATH: project })).toBeUndefined();
});

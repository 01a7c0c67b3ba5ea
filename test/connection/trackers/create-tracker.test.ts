import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTracker } from "../../../src/connection/trackers/create-tracker.ts";
import { startGithub } from "../../support/github-server.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { uncancelled } from "../../support/uncancelled.ts";

const PATH = process.env.PATH;

async function project(given: { origin?: string; issue?: string } = {}): Promise<string> {
  const directory = await temporaryDirectory();
  if (given.origin) {
    execFileSync("git", ["init", "-q", directory]);
    execFileSync("git", ["remote", "add", "origin", given.origin], { cwd: directory });
  }
  if (given.issue) {
    await mkdir(join(directory, ".e8/issues"), { recursive: true });
    await writeFile(join(directory, ".e8/issues/1.md"), `---\nlabels: [${given.issue}]\n---\n`);
  }
  return directory;
}

const origin = "git@github.com:some-owner/some.repo.git";

test("a folder of issues is the tracker where there is one", async () => {
  const github = await startGithub({ 1: { title: "One", labels: ["on GitHub"] } });
  const environment = { PATH, GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url };

  const tracker = uncancelled(
    await createTracker({ project: await project({ origin, issue: "in a file" }), environment }),
  );

  expect(await tracker.get("issue", 1)).toMatchObject({ labels: ["in a file"] });
});

test.each(["GITHUB_TOKEN", "GH_TOKEN"])("GitHub is the tracker with an origin and %s", async (variable) => {
  const github = await startGithub({ 1: { title: "One", labels: ["on GitHub"] } });
  const environment = { PATH, [variable]: github.token, GITHUB_API_URL: github.url };

  const tracker = uncancelled(await createTracker({ project: await project({ origin }), environment }));

  expect(await tracker.get("issue", 1)).toMatchObject({ labels: ["on GitHub"] });
});

test("E8_TRACKER chooses", async () => {
  const github = await startGithub({ 1: { title: "One", labels: ["on GitHub"] } });
  const environment = { PATH, GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url };
  const both = await project({ origin, issue: "in a file" });
  const without = await project({ origin });

  const chosen = uncancelled(
    await createTracker({ project: both, environment: { ...environment, E8_TRACKER: "github" } }),
  );
  const empty = uncancelled(
    await createTracker({ project: without, environment: { ...environment, E8_TRACKER: "folder" } }),
  );

  expect(await chosen.get("issue", 1)).toMatchObject({ labels: ["on GitHub"] });
  await expect(empty.get("issue", 1)).rejects.toMatchObject({
    details: { problem: saying("1.md does not exist") },
  });
});

test.each([
  ["an origin", undefined, { GITHUB_TOKEN: "x" }, "nor a git remote"],
  ["a token", origin, {}, "GITHUB_TOKEN"],
])("without %s, every use says what is missing", async (_what, remote, variables, problem) => {
  const given = await project(remote ? { origin: remote } : {});
  const tracker = uncancelled(await createTracker({ project: given, environment: { PATH, ...variables } }));

  const uses = [tracker.get("issue", 1), tracker.close("pr", 1), tracker.label(1, { add: [], remove: [] })];

  for (const use of uses)
    await expect(use).rejects.toMatchObject({ code: "tracker_failed", details: { problem: saying(problem) } });
});

test("a token is not sent to a host that the user has not named", async () => {
  const given = await project({ origin: "https://git.example.invalid/some-owner/some.repo.git" });

  const tracker = uncancelled(await createTracker({ project: given, environment: { PATH, GITHUB_TOKEN: "x" } }));

  await expect(tracker.get("issue", 1)).rejects.toMatchObject({
    details: { problem: saying("GITHUB_API_URL=https://git.example.invalid/api/v3") },
  });
});

test("without folder and origin, the first issue makes the folder", async () => {
  const given = await project();
  const create = async () => uncancelled(await createTracker({ project: given, environment: { PATH } }));
  expect(await (await create()).list({ state: "all", labels: [], limit: 9 })).toEqual([]);

  await (await create()).create({ title: "One", body: "", labels: [], blocked_by: [] });

  expect(await (await create()).get("issue", 1)).toMatchObject({ title: "One" });
});

async function programNamedGh(script: string): Promise<string> {
  const bin = await temporaryDirectory();
  await writeFile(join(bin, "gh"), `#!/bin/sh\necho "$@" >> "${bin}/asked"\n${script}\n`, { mode: 0o755 });
  return bin;
}

test("without a token in the environment, `gh` is asked for one, once, and only when it is needed", async () => {
  const github = await startGithub({ 1: { title: "One" } });
  const bin = await programNamedGh(`echo ${github.token}`);
  const environment = { PATH: `${bin}:${PATH}`, GITHUB_API_URL: github.url };
  const tracker = uncancelled(await createTracker({ project: await project({ origin }), environment }));
  expect(await readdir(bin)).toEqual(["gh"]);

  await tracker.get("issue", 1);
  await tracker.close("issue", 1);

  expect(await readFile(join(bin, "asked"), "utf8")).toBe("auth token --hostname github.com\n");
});

test.each(["exit 1", "echo"])("a `gh` that has no token is the same as none: %s", async (script) => {
  const bin = await programNamedGh(script);
  const environment = { PATH: `${bin}:${PATH}`, GITHUB_API_URL: "http://127.0.0.1:9" };
  const tracker = uncancelled(await createTracker({ project: await project({ origin }), environment }));

  await expect(tracker.list({ state: "open", labels: [], limit: 1 })).rejects.toMatchObject({
    code: "tracker_failed",
    details: { what: saying("list the issues of some-owner/some.repo"), problem: saying("GITHUB_TOKEN") },
  });
});

test("an unknown E8_TRACKER is reported at the first use, with the known ones", async () => {
  const environment = { PATH, E8_TRACKER: "gitlab" };
  const tracker = uncancelled(await createTracker({ project: await project({ issue: "in a file" }), environment }));

  await expect(tracker.get("issue", 1)).rejects.toMatchObject({
    code: "tracker_failed",
    details: { problem: saying('E8_TRACKER is "gitlab"; it may be folder or github') },
  });
});

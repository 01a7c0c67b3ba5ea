import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import type { TrackedItem } from "../../src/connection/ports/tracker.ts";
import { createFolderTracker } from "../../src/connection/trackers/folder-tracker.ts";
import { createGithubTracker } from "../../src/connection/trackers/github-tracker.ts";
import { type GithubIssue, startGithub } from "../support/github-server.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { trackerContract } from "./tracker.contract.ts";

trackerContract("GitHub", async (items) => {
  const github = await startGithub(Object.fromEntries(items.map((item) => [item.number, onGithub(item)])));
  const repository = { owner: "some-owner", repo: "some.repo", token: github.token, api_url: github.url };
  return createGithubTracker(repository);
});

function onGithub({ kind, state, labels }: TrackedItem): GithubIssue {
  return {
    title: "It does not work",
    labels: [...labels],
    state: state === "OPEN" ? "open" : "closed",
    ...(kind === "pr" && { pull_request: { merged: state === "MERGED" } }),
  };
}

trackerContract("A folder", async (items) => {
  const folder = join(await temporaryDirectory(), "issues");
  await mkdir(folder);
  for (const { number, ...properties } of items)
    await writeFile(join(folder, `${number}.md`), `---\n${stringify(properties)}---\nIt does not work.\n`);
  return createFolderTracker(folder);
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { createFolderTracker } from "../../src/connection/trackers/folder/folder-tracker.ts";
import { createGithubTracker } from "../../src/connection/trackers/github/github-tracker.ts";
import type { TrackedItem } from "../../src/model/issue.ts";
import { type GithubIssue, startGithub } from "../support/github-server.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { trackerContract } from "./tracker.contract.ts";

trackerContract("GitHub", async (items) => {
  const github = await startGithub(Object.fromEntries(items.map((item) => [item.number, onGithub(item)])));
  const repository = { owner: "some-owner", repo: "some.repo", token: async () => github.token, api_url: github.url };
  return createGithubTracker(repository);
});

function onGithub({ kind, state, labels, title, body, created_at }: TrackedItem): GithubIssue {
  return {
    title,
    body,
    created_at,
    labels: [...labels],
    state: state === "OPEN" ? "open" : "closed",
    ...(kind === "pr" && { pull_request: { merged: state === "MERGED" } }),
  };
}

trackerContract("A folder", async (items) => {
  const folder = join(await temporaryDirectory(), "issues");
  await mkdir(folder);
  for (const { number, body, ...properties } of items)
    await writeFile(join(folder, `${number}.md`), `---\n${stringify(properties)}---\n\n${body}\n`);
  return createFolderTracker(folder);
});

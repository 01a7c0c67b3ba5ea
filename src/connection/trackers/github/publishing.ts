import { type IssueLabel, type PullRequest, type Release, sameLabel } from "../../../model/issue.ts";
import type { IssueLink, PullRequestDraft, ReleaseDraft } from "../../ports/tracker.ts";
import { withLink } from "../hidden-texts.ts";
import { Pull, pullRequestOf, ReleaseAnswer, RepositoryLabel } from "./answers.ts";
import { type GithubRepository, isRefusal } from "./repository.ts";

/** Pull requests, labels of the repository, releases: one attempt at each act. */

export async function findPull(github: GithubRepository, head: string): Promise<PullRequest | undefined> {
  const [latest] = await pullsFrom(github, head, "all");
  return latest;
}

export async function openPull(github: GithubRepository, draft: PullRequestDraft): Promise<PullRequest> {
  const [open] = await pullsFrom(github, draft.head, "open");
  if (open) return open;
  const { title, body, head, base, draft: is_draft } = draft;
  const request = { title, body, head, base, draft: is_draft };
  try {
    return pullRequestOf(await github.write(Pull, { method: "POST", path: "/pulls", body: request }));
  } catch (error) {
    // Another run was faster.
    const [theirs] = isRefusal(error, 422) ? await pullsFrom(github, head, "open") : [];
    if (theirs) return theirs;
    throw error;
  }
}

async function pullsFrom(github: GithubRepository, head: string, state: "open" | "all"): Promise<PullRequest[]> {
  const query = new URLSearchParams({ head: `${github.owner}:${head}`, state, sort: "created", direction: "desc" });
  const pulls = (await github.read(Pull.array(), `/pulls?${query}`)).map(pullRequestOf);
  return pulls.filter((pull) => pull.head === head); // an older server ignores a filter that it does not know
}

export async function linkPull(github: GithubRepository, { pull_request, ...link }: IssueLink): Promise<void> {
  const path = `/pulls/${pull_request}`;
  const { body } = await github.read(Pull, path);
  const linked = withLink(body, link);
  if (linked !== body) await github.send({ method: "PATCH", path, body: { body: linked } });
}

export async function labelsOf(github: GithubRepository): Promise<IssueLabel[]> {
  const labels = await github.all(RepositoryLabel, "/labels");
  return labels.map(({ name, color, description }) => ({
    name,
    ...(color && { color }),
    ...(description && { description }),
  }));
}

export async function saveLabel(github: GithubRepository, { name, ...rest }: IssueLabel): Promise<void> {
  const path = `/labels/${encodeURIComponent(name)}`;
  const present = await github.readIfThere(RepositoryLabel, path);
  if (!present) return createLabel(github, { name, ...rest });
  const isSame =
    sameLabel(present.color) === sameLabel(rest.color ?? present.color) &&
    present.description === (rest.description ?? present.description);
  if (!isSame) await github.send({ method: "PATCH", path, body: rest });
}

async function createLabel(github: GithubRepository, label: IssueLabel): Promise<void> {
  try {
    await github.send({ method: "POST", path: "/labels", body: { ...label } });
  } catch (error) {
    const path = `/labels/${encodeURIComponent(label.name)}`;
    const isThere = isRefusal(error, 422) && (await github.readIfThere(RepositoryLabel, path)) !== undefined;
    if (!isThere) throw error;
  }
}

export async function publishRelease(github: GithubRepository, draft: ReleaseDraft): Promise<Release> {
  const { tag, title, body, target } = draft;
  const published = await github.readIfThere(ReleaseAnswer, `/releases/tags/${encodeURIComponent(tag)}`);
  if (published) return releaseOf(published);
  const request = { tag_name: tag, name: title, body, ...(target !== undefined && { target_commitish: target }) };
  return releaseOf(await github.write(ReleaseAnswer, { method: "POST", path: "/releases", body: request }));
}

function releaseOf({ tag_name, name, body, html_url }: ReturnType<typeof ReleaseAnswer.parse>): Release {
  return { tag: tag_name, title: name, body, url: html_url };
}

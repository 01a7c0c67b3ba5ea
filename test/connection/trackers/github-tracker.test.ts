import { describe, expect, test, vi } from "vitest";
import type { IssueTracker } from "../../../src/connection/ports/tracker.ts";
import {
  createGithubTracker,
  type GithubTrackerOptions,
} from "../../../src/connection/trackers/github/github-tracker.ts";
import { blank } from "../../support/github-routes.ts";
import { type GithubIssue, type GithubServer, startGithub, type Trouble } from "../../support/github-server.ts";
import { saying } from "../../support/saying.ts";
import { type Uncancelled, uncancelled } from "../../support/uncancelled.ts";

const quick = { attempts: 4, first_wait_seconds: 0.01, longest_wait_seconds: 2 };

async function github(
  issue: Partial<GithubIssue> = {},
  options: Partial<GithubTrackerOptions> = {},
): Promise<{ server: GithubServer; tracker: Uncancelled; port: IssueTracker }> {
  const server = await startGithub({ 1: { title: "One", ...issue } });
  const repository = {
    owner: "some-owner",
    repo: "some.repo",
    token: async () => server.token,
    api_url: `${server.url}/`,
  };
  const port = createGithubTracker({ ...repository, patience: quick, ...options });
  return { server, tracker: uncancelled(port), port };
}

describe("a passing failure", () => {
  const passing: [string, Trouble][] = [
    ["a server error", { status: 502, body: "<html>Bad gateway</html>" }],
    ["too many requests", { status: 429 }],
    ["a secondary limit", { status: 403, headers: { "retry-after": "1" } }],
    ["a used-up limit that is soon renewed", { status: 403, headers: { "x-ratelimit-remaining": "0" } }],
    ["a broken connection", { status: 0, body: "reset" }],
  ];

  test.each(passing)("%s is waited out", async (_what, trouble) => {
    const { server, tracker } = await github();
    server.troubles = [trouble, trouble];

    await tracker.close("issue", 1);

    expect(server.issues.get(1)).toMatchObject({ state: "closed" });
  });

  test("an answer that does not come is awaited only for so long", async () => {
    const { server, tracker } = await github({}, { timeout_seconds: 0.3 });
    server.troubles = [{ status: 0, body: "hang" }];

    expect(await tracker.get("issue", 1)).toMatchObject({ number: 1 });
    expect(server.requests).toHaveLength(2);
  });

  test("is given up after a few attempts, and named", async () => {
    const { server, tracker } = await github();
    server.troubles = Array.from({ length: 9 }, () => ({ status: 503 }));

    await expect(tracker.get("issue", 1)).rejects.toMatchObject({
      code: "tracker_failed",
      details: { what: saying("read issue #1 of some-owner/some.repo"), problem: "503 Trouble" },
    });
    expect(server.requests).toHaveLength(4);
  });

  test("is not waited out when GitHub asks for a long wait", async () => {
    const { server, tracker } = await github();
    server.troubles = [{ status: 429, headers: { "retry-after": "3600" } }];

    await expect(tracker.get("issue", 1)).rejects.toMatchObject({ details: { problem: "429 Trouble" } });
    expect(server.requests).toHaveLength(1);
  });

  test("after a change that did arrive does not repeat the change", async () => {
    const { server, tracker } = await github();
    server.troubles = [{ status: 502, method: "PATCH", done: true }];

    await tracker.close("issue", 1);

    expect(server.issues.get(1)).toMatchObject({ state: "closed" });
    expect(server.requests.filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
  });
});

describe("an answer that is lost after the change was made", () => {
  const lost: Trouble[] = [
    { status: 502, method: "POST", done: true },
    { status: 0, method: "POST", done: true, body: "reset" },
  ];

  test.each(lost)("does not make a second issue: %j", async (trouble) => {
    const { server, tracker } = await github();
    const draft = { title: "Two", body: "B", labels: ["a"], blocked_by: [1] };
    server.troubles = [trouble];

    expect(await tracker.create(draft)).toMatchObject({ number: 2, title: "Two", blocked_by: [1] });
    expect(server.issues.size).toBe(2);
    expect(await tracker.create(draft)).toMatchObject({ number: 3 }); // a second call means a second issue
  });

  test.each(lost)("does not make a second comment: %j", async (trouble) => {
    const { server, tracker } = await github();
    server.troubles = [trouble];

    await tracker.comment(1, { body: "Done.", marker: "closed" });

    expect(server.comments.get(1)).toHaveLength(1);
  });

  test.each(lost)("does not open a second pull request: %j", async (trouble) => {
    const { server, tracker } = await github();
    server.troubles = [trouble];

    expect(await tracker.openPullRequest(WORK)).toMatchObject({ number: 2 });
    expect(server.issues.size).toBe(2);
  });

  test.each(lost)("does not publish a second release, or save a second label: %j", async (trouble) => {
    const { server, tracker } = await github();
    server.troubles = [trouble];
    await tracker.release({ tag: "v1", title: "One", body: "" });
    server.troubles = [trouble];
    await tracker.saveLabel({ name: "a", color: "ffffff" });

    expect(server.releases).toHaveLength(1);
    expect(server.labels).toHaveLength(1);
  });
});

const WORK = { title: "Fix", body: "", head: "e8/fix", base: "main", draft: false };

test("a pull request that another run opened meanwhile is taken, and any other refusal is told", async () => {
  const { server, tracker } = await github();
  const empty = JSON.stringify([]);
  server.troubles = [{ status: 200, method: "GET", body: empty }];
  const theirs = await tracker.openPullRequest(WORK);
  server.troubles = [{ status: 200, method: "GET", body: empty }]; // as it was before they opened theirs

  expect(await tracker.openPullRequest(WORK)).toEqual(theirs);

  const body = JSON.stringify({ message: "Validation Failed", errors: [{ message: "No commits between main and x" }] });
  server.troubles = [{ status: 422, method: "POST", body }];
  await expect(tracker.openPullRequest({ ...WORK, head: "x" })).rejects.toMatchObject({
    details: {
      what: saying("pull request from x of"),
      problem: "422 Validation Failed: No commits between main and x",
    },
  });
});

test("a label that another run created meanwhile is not a failure", async () => {
  const { server, tracker } = await github();
  server.labels.push({ name: "a", color: "ffffff", description: null });
  server.troubles = [{ status: 404, method: "GET" }];

  await tracker.saveLabel({ name: "a", color: "ffffff" });

  expect(server.labels).toHaveLength(1);
});

test("a marker is looked for on every page of comments", async () => {
  const { server, tracker } = await github();
  await tracker.comment(1, { body: "First.", marker: "it" });
  const others = Array.from({ length: 150 }, (_, index) => ({
    body: `${index}`,
    created_at: "",
    user: { login: "somebody" },
  }));
  server.comments.get(1)?.unshift(...others);

  await tracker.comment(1, { body: "Second.", marker: "it" });

  expect(server.comments.get(1)).toHaveLength(151);
  expect((await tracker.comments(1)).at(-1)).toMatchObject({ body: "First.", author: "e8" });
});

test("a page that fails is asked for again, and slow answers are awaited", async () => {
  const { server, tracker } = await github();
  for (let number = 2; number <= 150; number += 1) server.issues.set(number, { ...blank(), title: `${number}` });
  server.troubles = [
    { status: 200, body: "slow" },
    { status: 403, headers: { "retry-after": "1" } },
  ];

  expect(await tracker.list({ state: "open", labels: [], limit: 500 })).toHaveLength(150);
});

describe("cancelled", () => {
  const patience = { attempts: 4, first_wait_seconds: 60, longest_wait_seconds: 60 };

  test.each<[string, Trouble]>([
    ["while it waits for an answer", { status: 0, body: "hang" }],
    ["between two attempts", { status: 502 }],
  ])("%s, it ends at once and asks no more", async (_when, trouble) => {
    const { server, port } = await github({}, { patience, timeout_seconds: 60 });
    server.troubles = [trouble];
    const cancel = new AbortController();

    const reading = port.get("issue", 1, cancel.signal);
    reading.catch(() => {});
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), { timeout: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    cancel.abort();

    await expect(reading).rejects.toMatchObject({
      code: "tracker_failed",
      details: { problem: saying("it was cancelled") },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a refusal", () => {
  test("of the token is reported at once, without the token", async () => {
    const { server, tracker } = await github({}, { token: async () => "a-wrong-secret" });

    const refused = await tracker.close("issue", 1).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "tracker_failed", details: { problem: "401 Bad credentials" } });
    expect(JSON.stringify(refused) + String(refused)).not.toContain("a-wrong-secret");
    expect(server.requests).toHaveLength(1);
  });

  test("without the headers of a limit is not retried", async () => {
    const { server, tracker } = await github();
    server.troubles = [{ status: 403 }];

    await expect(tracker.get("issue", 1)).rejects.toMatchObject({ details: { problem: "403 Trouble" } });
    expect(server.requests).toHaveLength(1);
  });

  test.each(["<html>Log in</html>", '{"login": "page"}'])(
    "is the report when another kind of server answers: %s",
    async (body) => {
      const { server, tracker } = await github();
      server.troubles = [{ status: 200, body }];

      await expect(tracker.get("issue", 1)).rejects.toMatchObject({ code: "tracker_failed" });
    },
  );
});

test("a server that cannot be reached is reported with the reason", async () => {
  const patience = { ...quick, attempts: 1 };
  const { tracker } = await github({}, { api_url: "http://127.0.0.1:1", patience });

  await expect(tracker.get("issue", 1)).rejects.toMatchObject({
    message: expect.stringMatching(/ECONNREFUSED|bad port/),
  });
});

test("labels that differ only in case are the same label", async () => {
  const { server, tracker } = await github({ labels: ["Bug", "WIP"] });

  await tracker.label(1, { add: ["bug"], remove: ["wip"] });

  expect(server.issues.get(1)?.labels).toEqual(["Bug"]);
});

test("a label that another user removes meanwhile is not a failure", async () => {
  const { server, tracker } = await github({ labels: ["a", "b"] });
  server.troubles = [{ status: 404, method: "DELETE" }];

  await tracker.label(1, { add: [], remove: ["a", "b"] });

  expect(server.issues.get(1)?.labels).toEqual(["a"]);
});

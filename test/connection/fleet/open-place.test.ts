import { existsSync } from "node:fs";
import { chmod, readdir, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeUnused } from "../../../src/connection/fleet/care.ts";
import { openPlace } from "../../../src/connection/fleet/open-place.ts";
import type { MachinePlace } from "../../../src/connection/ports/machine-place.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { machine, placesOf, sharedRemote } from "../../support/fleet-remote.ts";
import { gitServer, PASSWORD } from "../../support/git-server.ts";
import { git, write } from "../../support/repository.ts";

const ID = "2026-01-23T10-00-00";
const OURS = async () => {};

function opened(url: string, environment: NodeJS.ProcessEnv, more: { snapshot?: string; base?: string } = {}) {
  const { base = "main", snapshot } = more;
  const repository = { url, base, path: "" };
  return openPlace({ task_id: ID, repository, snapshot, signal: new AbortController().signal }, environment);
}

/** A commit with this file, as a worker of the place makes it. */
async function committed({ directory }: MachinePlace, text: string): Promise<string> {
  await write(directory, { "work.txt": text });
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", text);
  return (await git(directory, "rev-parse", "HEAD")).trim();
}

test("several checkouts of one repository are opened at once on a machine that has none yet", async () => {
  const remote = await sharedRemote();
  const here = await machine();

  const places = await Promise.all([1, 2, 3, 4].map(() => opened(remote.url, here)));

  for (const { directory } of places) expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("start\n");
  expect(new Set(places.map(({ directory }) => directory)).size).toBe(4);
  await Promise.all(places.map((place) => place.close()));
  expect(await placesOf(here)).toEqual([]);
});

test("a run that was frozen and replaced cannot put its commit in the place of the newer run's", async () => {
  const remote = await sharedRemote();
  const frozen = await opened(remote.url, await machine());
  const newer = await opened(remote.url, await machine());
  const [stale, fresh] = [await committed(frozen, "stale"), await committed(newer, "fresh")];
  await newer.keep("1", fresh, OURS);

  const taken = async () => {
    throw new E8Error("task_taken", { id: ID, who: "another", since: "now" });
  };
  await expect(frozen.keep("1", stale, taken)).rejects.toMatchObject({ code: "task_taken" });
  expect((await remote.refs())[`refs/e8/${ID}/1`]).toBe(fresh);

  await frozen.keep("2", stale, OURS);
  const again = await committed(newer, "again");
  await newer.keep("2", again, OURS);
  expect((await remote.refs())[`refs/e8/${ID}/2`]).toBe(again);
});

test("a commit that a record may name stays in reach when its ref moves on", async () => {
  const remote = await sharedRemote();
  const place = await opened(remote.url, await machine());
  const [one, two] = [await committed(place, "one"), await committed(place, "two")];

  await place.keep("1", one, OURS);
  await place.keep("1", two, OURS);

  const commits = Object.values(await remote.refs());
  expect(commits).toContain(one);
  expect(commits).toContain(two);
});

test("a remote that refuses a push, has lost a snapshot, has no such base or is no repository is named", async () => {
  const remote = await sharedRemote();
  const place = await opened(remote.url, await machine());
  const commit = await committed(place, "work");
  const hook = join(remote.url, "hooks/pre-receive");
  await writeFile(hook, "#!/bin/sh\necho 'no refs of robots here' >&2\nexit 1\n");
  await chmod(hook, 0o755);

  await expect(place.keep("1", commit, OURS)).rejects.toMatchObject({
    code: "snapshot_refused",
    details: { ref: `refs/e8/${ID}/1`, said: expect.stringContaining("no refs of robots here") },
  });
  await expect(opened(remote.url, await machine(), { snapshot: commit })).rejects.toMatchObject({
    code: "snapshot_lost",
    details: { commit },
  });
  await expect(opened(remote.url, await machine(), { base: "none" })).rejects.toMatchObject({
    code: "remote_base_missing",
    details: { base: "none" },
  });
  const here = await machine();
  await expect(opened(`${remote.url}.gone`, here)).rejects.toMatchObject({ code: "remote_unreachable" });
  expect(await placesOf(here)).toEqual([]);
});

test("a remote that is away for a while is waited for, and the machine's own credentials reach it", async () => {
  const remote = await sharedRemote();
  const server = await gitServer(remote.url);
  const here = await machine();
  const helper = `!f() { echo "$1" >> "${here.HOME}/asked"; echo username=machine; echo password=${PASSWORD}; }; f`;
  await git(here.HOME, "config", "--file", join(here.HOME, ".gitconfig"), "credential.helper", helper);
  const place = await opened(server.url, here);
  const commit = await committed(place, "work");
  await server.stop();

  const kept = place.keep("1", commit, OURS);
  setTimeout(() => server.start(), 1000);
  await kept;

  expect((await remote.refs())[`refs/e8/${ID}/1`]).toBe(commit);
  expect(existsSync(join(here.HOME, "asked"))).toBe(true);
  expect(await readFile(join(place.directory, ".git/config"), "utf8")).not.toContain(PASSWORD);
});

test("what a git that was killed has left in the machine's copy does not stop the next one", async () => {
  const remote = await sharedRemote();
  const here = await machine();
  const place = await opened(remote.url, here);
  const long = new Date(Date.now() - 120_000);
  for (const name of ["packed-refs.lock", "refs/heads/main.lock"]) {
    await writeFile(join(place.mirror, name), "");
    await utimes(join(place.mirror, name), long, long);
  }
  await write(remote.first, { "a.txt": "newer\n" });
  await git(remote.first, "commit", "-qam", "newer");
  await git(remote.first, "push", "-q", remote.url, "HEAD:main");

  const next = await opened(remote.url, here);

  expect(await readFile(join(next.directory, "a.txt"), "utf8")).toBe("newer\n");
});

test("a worker's changes to the checkout's settings reach no push of ours", async () => {
  const remote = await sharedRemote();
  const here = await machine();
  const place = await opened(remote.url, here);
  const trap = join(here.HOME, "trap");
  for (const [key, value] of [
    ["core.sshCommand", `touch '${trap}'`],
    ["credential.helper", `!touch '${trap}'`],
    ["core.hooksPath", place.directory],
    ["remote.origin.url", `ext::sh -c touch% '${trap}'`],
    [`url.${place.directory}.insteadOf`, remote.url],
    ["uploadpack.packObjectsHook", `touch '${trap}'`],
    ["core.fsmonitor", `touch '${trap}'`],
  ] as const)
    await git(place.directory, "config", key, value);
  await write(place.directory, { "pre-push": `#!/bin/sh\ntouch '${trap}'\n` });
  await chmod(join(place.directory, "pre-push"), 0o755);
  const tree = (await git(place.directory, "rev-parse", "HEAD^{tree}")).trim();
  const commit = (await git(place.directory, "commit-tree", tree, "-p", "HEAD", "-m", "work")).trim();

  await place.keep("1", commit, OURS);
  const base = (await remote.refs())["refs/heads/main"] ?? "";
  expect(await place.remote.push({ branch: "main", from: base, to: commit })).toMatchObject({ exit_code: 0 });

  expect(await remote.refs()).toMatchObject({ [`refs/e8/${ID}/1`]: commit, "refs/heads/main": commit });
  expect(existsSync(trap)).toBe(false);
});

test("a project below the top of its repository is the place's directory, and nothing of a place stays elsewhere", async () => {
  const remote = await sharedRemote({ "packages/one/a.txt": "one\n" });
  const here = await machine();
  const repository = { url: remote.url, base: "main", path: "packages/one" };
  const signal = new AbortController().signal;

  const place = await openPlace({ task_id: ID, repository, signal }, here);

  expect(await readdir(place.directory)).toEqual(["a.txt"]);
  await rename(place.directory, `${place.directory}-moved`);
  await place.close();
  expect(await placesOf(here)).toEqual([]);
});

test("once a day the machine's copy loses what nothing needs, but nothing while there is a checkout", async () => {
  const remote = await sharedRemote();
  const here = await machine();
  const used = await opened(remote.url, here);
  const commit = await committed(used, "work");
  await used.keep("1", commit, OURS);
  const copy = used.mirror;
  const [loose, young] = [await blob(copy, "old"), await blob(copy, "young")];
  const old = new Date(Date.now() - 30 * 86_400_000);
  await utimes(join(copy, "objects", loose.slice(0, 2), loose.slice(2)), old, old);
  const nextDay = () => utimes(join(copy, "../cared"), old, old);
  const has = async (object: string) =>
    (await git(copy, "cat-file", "--batch-check", "--batch-all-objects")).includes(object);
  await git(remote.url, "update-ref", "-d", `refs/e8/${ID}/1`);

  await (await opened(remote.url, here)).close();
  await nextDay();
  await (await opened(remote.url, here)).close();
  expect(await has(loose)).toBe(true);
  expect(await git(used.directory, "show", "HEAD:work.txt")).toBe("work");

  await used.close();
  expect(await has(loose)).toBe(true);
  await nextDay();
  await (await opened(remote.url, here)).close();
  expect(await has(loose)).toBe(false);
  expect(await has(young)).toBe(true);
  expect(await git(copy, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
});

test("a copy that nothing has used for two weeks is removed on request, and made again when it is needed", async () => {
  const remote = await sharedRemote();
  const here = await machine();
  const used = await opened(remote.url, here);
  const home = join(used.mirror, "..");
  const later = () => utimes(home, new Date(0), new Date(0));

  expect(await removeUnused(here)).toBe(0); // it was used just now
  await later();
  expect(await removeUnused(here)).toBe(0); // there is a checkout
  await used.close();
  await later();
  expect(await removeUnused(here)).toBe(1);
  expect(await removeUnused(here)).toBe(0);

  const again = await opened(remote.url, here);
  expect(await git(again.directory, "log", "--format=%s")).toContain("\n");
  await again.close();
});

async function blob(repository: string, text: string): Promise<string> {
  const file = join(repository, "../blob");
  await writeFile(file, text);
  return (await git(repository, "hash-object", "-w", file)).trim();
}

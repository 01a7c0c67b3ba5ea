import { once } from "node:events";
import { readFile, rename } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type FleetBox, fleetBox } from "../support/fleet-box.ts";
import { sharedRemote } from "../support/fleet-remote.ts";
import { inProcess } from "../support/in-process.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import type { TestPostgres } from "../support/postgres-server.ts";
import { git, write } from "../support/repository.ts";
import { sandbox } from "../support/sandbox.ts";

const patiently = { timeout: 90_000, interval: 200 };
const AGENT = "if grep -q one a.txt; then echo two > a.txt; else echo one > a.txt; fi";

/** A task of two iterations that was worked on by another machine. */
async function workedOnElsewhere(postgres: TestPostgres) {
  const elsewhere = await fleetBox(postgres);
  const remote = await sharedRemote();
  const task = ["count", "--check", "grep two a.txt", "--agent-command", AGENT, "--repo", remote.url, "--base", "main"];
  const id = await elsewhere.submit(...task);
  const worker = await elsewhere.worker("one", "--repo", remote.url);
  await vi.waitFor(async () => expect(await elsewhere.statuses()).toEqual({ [id]: "completed" }), patiently);
  worker.child.kill("SIGTERM");
  await worker.ended;
  return { remote, id, url: elsewhere.url };
}

/** Another machine, with another home, which has only the store in common with the first. */
async function otherMachine({ url }: Pick<FleetBox, "url">) {
  const box = await sandbox();
  return inProcess({ ...box, env: { ...box.env, ENDLESS8_STORE: url } });
}

describeWithPostgres("a task that other machines have worked on", (postgres) => {
  test("is looked at on a machine that has none of its files, and its refs go with it", async () => {
    const { remote, id, url } = await workedOnElsewhere(postgres());
    const here = await otherMachine({ url });

    expect((await here.e8(["diff", id])).stdout).toMatch(/-start\n\+two/);
    expect((await here.e8(["diff", id, "2"])).stdout).toMatch(/-one\n\+two/);
    expect((await here.e8(["show", id])).stdout.match(/\+1 −1 in 1 file/g)).toHaveLength(2);

    for (const refused of [
      await here.e8(["rollback", id, "--to", "1"]),
      await here.e8(["fork", id, "--from", "1", "go on", "--agent-command", "true"]),
    ]) {
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`git clone ${remote.url}`);
    }
    await git(remote.url, "update-ref", "-d", "refs/heads/main");
    expect((await here.e8(["rm", id, "--yes"])).code).toBe(0);
    expect(await remote.refs()).toEqual({});
  });

  test("is rolled back to and forked in a clone of its repository", async () => {
    const { remote, id, url } = await workedOnElsewhere(postgres());
    const here = await otherMachine({ url });
    await git(here.project, "clone", "-q", remote.url, ".");
    await write(here.project, { "mine.txt": "not committed\n" });

    const back = await here.e8(["rollback", id, "--to", "1"]);
    expect(back.code, back.stderr).toBe(0);
    expect(await readFile(join(here.project, "a.txt"), "utf8")).toBe("one\n");
    expect((await here.e8(["rollback", id, "--to", "2"])).code).toBe(0);
    expect(await readFile(join(here.project, "a.txt"), "utf8")).toBe("two\n");

    const words = ["--only", "--check", "grep three a.txt", "--agent-command", "grep one a.txt && echo three > a.txt"];
    const forked = await here.e8(["fork", id, "--from", "1", "go on", ...words]);
    expect(forked.code, forked.stderr).toBe(0);
    expect(await readFile(join(here.project, "a.txt"), "utf8")).toBe("three\n");
  });

  test("is shown without its changes where its repository gives no answer", async () => {
    const { id, url } = await workedOnElsewhere(postgres());
    const silent = createServer((socket) => void socket.resume()).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const schema = new URL(url).searchParams.get("schema");
    const named = JSON.stringify(`git://127.0.0.1:${port}/app.git`);
    await postgres().ask(
      `update "${schema}".task set doc = jsonb_set(doc::jsonb, '{repository,url}', $1::jsonb)::json`,
      [named],
    );
    const here = await otherMachine({ url });

    expect((await here.e8(["show", id])).stdout).toContain("count");
  });

  test("is shown without its changes where its repository is away, which e8 diff and e8 rm say", async () => {
    const { remote, id, url } = await workedOnElsewhere(postgres());
    const here = await otherMachine({ url });
    await rename(remote.url, `${remote.url}.away`);

    expect((await here.e8(["show", id])).code).toBe(0);
    const unread = await here.e8(["diff", id]);
    expect(unread.code).toBe(2);
    expect(unread.stderr).toContain(`${remote.url} cannot be reached`);
    const removed = await here.e8(["rm", id, "--yes"]);
    expect(removed.code, removed.stderr).toBe(0);
    expect(removed.stderr).toContain(`${remote.url} cannot be reached: refs/e8/${id}/ stays there`);
    expect(JSON.parse((await here.e8(["list", "--json"])).stdout)).toEqual([]);
  });
});

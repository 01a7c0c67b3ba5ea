import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runHere } from "../../src/compose/run-here.ts";
import { forgetRemotely } from "../../src/compose/task-refs.ts";
import { Allowance } from "../../src/model/allowance.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { ExecutionSummary, LoopResult } from "../../src/model/records.ts";
import { machine, placesOf, sharedRemote, submitted } from "../support/fleet-remote.ts";
import { gitServer, PASSWORD } from "../support/git-server.ts";
import { PLAIN_CONFIGURATION } from "../support/plain-configuration.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { type MadeStore, madeStore } from "../support/postgres-store.ts";
import { startProgramWith } from "../support/program.ts";
import { git, write } from "../support/repository.ts";
import { processesOf } from "../support/users-repository.ts";

const CHECK = { type: "command" as const, command: "test $(wc -l < count) -ge 3" };
/** Each iteration adds a line, and one of the iteration's own number as git sees it. */
const COUNTING =
  "echo more >> count; git add count; git -c user.name=W -c user.email=w@example.invalid commit -qm more; echo loose >> loose";

const PATIENTLY = { timeout: 60_000, interval: 100 };

/** How many lines the only checkout of a machine has. */
async function countIn({ HOME }: { HOME: string }): Promise<number> {
  const [name = ""] = (await placesOf({ HOME })).filter((one) => !one.endsWith(".lock"));
  const fleet = join(HOME, ".cache/endless8/fleet");
  const [repository = ""] = await readdir(fleet);
  const text = await readFile(join(fleet, repository, "places", name, "app", "count"), "utf8").catch(() => "");
  return text.split("\n").length - 1;
}

async function ran({ database, store: _ }: MadeStore, id: string, environment: NodeJS.ProcessEnv, stopAfter = 99) {
  const stop = new AbortController();
  const allowance = Allowance.parse({ repositories: ["**"], sandbox: "off" });
  const events: RunEvent[] = [];
  const part = { database, project: "example.com/team/project" };
  const run = runHere({ part, id }, { environment, signal: stop.signal, allowance });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { events, result: value as LoopResult };
    events.push(value.event);
    if (value.event.type === "judgment" && value.event.judgment.iteration === stopAfter) stop.abort();
  }
}

async function summaries({ store }: MadeStore, id: string): Promise<ExecutionSummary[]> {
  return (await store.past(id)).records.filter((one) => one.type === "summary");
}

describeWithPostgres("a task that any machine may work on", (postgres) => {
  describe("with a remote that machines share", () => {
    test("goes on elsewhere where the last iteration has left it, and every record names what others can fetch", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const [first, second] = [await machine(), await machine()];
      const id = await submitted(made, remote.url, { agent: COUNTING, criteria: [CHECK] });

      const stopped = await ran(made, id, first, 1);
      expect(stopped.result).toMatchObject({ status: "cancelled", iterations_used: 1 });
      expect(await placesOf(first)).toEqual([]);
      const { result } = await ran(made, id, second);

      expect(
        result,
        JSON.stringify(
          (await made.store.past(id)).records.filter((r) => r.type === "proof" || r.type === "judgment").slice(1, 4),
        ),
      ).toMatchObject({ status: "completed", iterations_used: 3 });
      const refs = await remote.refs();
      const named = (await summaries(made, id)).map(({ snapshot }) => snapshot ?? "");
      for (const commit of named) expect(Object.values(refs)).toContain(commit);
      const last = refs[`refs/e8/${id}/3`] ?? "";
      expect(await git(remote.url, "show", `${last}:loose`)).toBe("loose\nloose\nloose\n");
      expect(await git(remote.url, "log", "--format=%s", `${last}^`)).toBe("more\nmore\nmore\nfirst\n");
      expect(await placesOf(second)).toEqual([]);
    });

    test("with a branch of its own, lands on the remote from another machine than the one that began", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const [first, second] = [await machine(), await machine()];
      const worktree = { ...PLAIN_CONFIGURATION.worktree, enabled: true };
      const id = await submitted(made, remote.url, { agent: COUNTING, criteria: [CHECK], worktree });
      await ran(made, id, first, 2);
      await write(remote.first, { "b.txt": "somebody else's\n" });
      await git(remote.first, "add", "b.txt");
      await git(remote.first, "commit", "-qm", "meanwhile");
      await git(remote.first, "push", "-q", remote.url, "main");

      const { result } = await ran(made, id, second);

      expect(result).toMatchObject({ status: "completed", iterations_used: 3, landing: { outcome: "landed" } });
      const refs = await remote.refs();
      expect(refs["refs/heads/main"]).toBe(result.landing?.commit);
      expect(await git(remote.url, "show", "main:loose")).toBe("loose\nloose\nloose\n");
      expect(await git(remote.url, "show", "main:b.txt")).toBe("somebody else's\n");
      expect(Object.keys(refs).filter((ref) => ref.startsWith("refs/heads/"))).toEqual(["refs/heads/main"]);
    });

    test("conflicts that a worker was settling on one machine are landed from another", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const [first, second] = [await machine(), await machine()];
      const agent = `if grep -q '<<<<' a.txt; then echo settled > a.txt; else echo mine > a.txt; cat > '${remote.url}/said'; cd '${remote.first}' && echo theirs > a.txt && git -c user.name=T -c user.email=t@example.invalid commit -qam theirs && git push -q '${remote.url}' main; fi`;
      const worktree = { ...PLAIN_CONFIGURATION.worktree, enabled: true };
      const criteria = [{ type: "command" as const, command: "! grep -q start a.txt" }];
      const id = await submitted(made, remote.url, { agent, criteria, worktree, sandbox: "off" });

      await ran(made, id, first, 2);
      const { result } = await ran(made, id, second);

      expect(result).toMatchObject({ status: "completed", iterations_used: 2, landing: { outcome: "landed" } });
      expect(await git(remote.url, "show", "main:a.txt")).toBe("settled\n");
      expect(await git(remote.url, "log", "--format=%s", "--no-merges", "main")).toContain("theirs");
    });

    test("has the machine's credentials for its remote, and its worker has not; its refs go with it", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const server = await gitServer(remote.url);
      const here = await machine();
      await write(here.HOME, { "helper.sh": `echo username=machine; echo password=${PASSWORD}\n` });
      const helper = `!sh '${join(here.HOME, "helper.sh")}'`;
      await git(here.HOME, "config", "--file", join(here.HOME, ".gitconfig"), "credential.helper", helper);
      const tries = ["git ls-remote origin", "git push origin HEAD:refs/heads/evil", "git config --list"];
      const agent = `for what in ${tries.map((one) => `'${one}'`).join(" ")}; do $what >> seen 2>&1 && echo "done: $what" >> seen; done; true`;
      const criteria = [{ type: "command" as const, command: "test -f seen" }];
      const id = await submitted(made, server.url, { agent, criteria });

      expect((await ran(made, id, here)).result).toMatchObject({ status: "completed" });

      const seen = await git(remote.url, "show", `refs/e8/${id}/1:seen`);
      expect(seen).not.toContain(PASSWORD);
      expect(seen).not.toMatch(/done: git (ls-remote|push)/);
      expect(Object.keys(await remote.refs())).toEqual(
        expect.arrayContaining([`refs/e8/${id}/1`, `refs/e8/${id}/start`]),
      );
      vi.stubEnv("HOME", here.HOME);
      onTestFinished(() => void vi.unstubAllEnvs());
      await forgetRemotely({ url: server.url, base: "main", path: "" }, id);
      expect(Object.keys(await remote.refs())).toEqual(["refs/heads/main"]);
    });

    test("killed in the middle of an iteration, its work there is gone, and another machine repeats the iteration", async () => {
      const made = await madeStore(postgres().schema({ lease: "2", project: "example.com/team/project" }));
      const remote = await sharedRemote();
      const [first, second] = [await machine(), await machine()];
      const agent = `${COUNTING}; if [ $(wc -l < count) -eq 2 ] && [ "$HOME" = '${first.HOME}' ]; then sleep 300; fi`;
      const id = await submitted(made, remote.url, { agent, criteria: [CHECK] });
      const run = startProgramWith(first, "run-here", made.url, id);
      await vi.waitFor(async () => expect(await summaries(made, id)).toHaveLength(1), PATIENTLY);
      await vi.waitFor(async () => expect(await countIn(first)).toBe(2), PATIENTLY);
      await run.kill("SIGKILL");
      await vi.waitFor(async () => expect(await made.store.holder(id)).toBeUndefined(), PATIENTLY);

      const { result } = await ran(made, id, second);

      expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
      expect((await summaries(made, id)).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
      expect(await git(remote.url, "show", `refs/e8/${id}/3:count`)).toBe("more\nmore\nmore\n");
      expect(await placesOf(first)).not.toEqual([]);
      const other = await submitted(made, remote.url, {
        agent: "touch done",
        criteria: [{ ...CHECK, command: "true" }],
      });
      await ran(made, other, first);
      expect(await placesOf(first)).toEqual([]);
      await vi.waitFor(() => expect(processesOf({ home: first.HOME })).toEqual([]), PATIENTLY); // the guard gives them seconds
    });
  });
});

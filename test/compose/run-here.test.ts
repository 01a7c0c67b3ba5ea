import { describe, expect, test } from "vitest";
import { runHere } from "../../src/compose/run-here.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { ExecutionSummary, LoopResult } from "../../src/model/records.ts";
import { machine, placesOf, sharedRemote, submitted } from "../support/fleet-remote.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { type MadeStore, madeStore } from "../support/postgres-store.ts";
import { git } from "../support/repository.ts";

const CHECK = { type: "command" as const, command: "test $(wc -l < count) -ge 3" };
/** Each iteration adds a line, and one of the iteration's own number as git sees it. */
const COUNTING =
  "echo more >> count; git add count; git -c user.name=W -c user.email=w@example.invalid commit -qm more; echo loose >> loose";

async function ran({ database, store: _ }: MadeStore, id: string, environment: NodeJS.ProcessEnv, stopAfter = 99) {
  const stop = new AbortController();
  const events: RunEvent[] = [];
  const part = { database, project: "example.com/team/project" };
  const run = runHere({ part, id }, { environment, signal: stop.signal });
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
  });
});

import { existsSync } from "node:fs";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runHere } from "../../src/compose/run-here.ts";
import { openPlace } from "../../src/connection/fleet/open-place.ts";
import { Allowance } from "../../src/model/allowance.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { machine, sharedRemote, submitted } from "../support/fleet-remote.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { type MadeStore, madeStore } from "../support/postgres-store.ts";
import { git } from "../support/repository.ts";

const CHECK = { type: "command" as const, command: "test -f seen" };

function ran(made: MadeStore, id: string, environment: NodeJS.ProcessEnv, allowance: Partial<Allowance> = {}) {
  const all = Allowance.parse({ repositories: ["**"], sandbox: "off", ...allowance });
  return ended(
    runHere(
      { part: { database: made.database, project: "example.com/team/project" }, id },
      { environment, allowance: all },
    ),
  );
}

async function ended(run: ReturnType<typeof runHere>): Promise<LoopResult> {
  for (;;) {
    const { done, value } = await run.next();
    if (done) return value;
  }
}

describeWithPostgres("a hostile submitter", (postgres) => {
  describe("who can write rows", () => {
    test("has a task that leaves its repository refused before anything of it is fetched", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const here = await machine();
      const id = await submitted(made, remote.url, { agent: "touch seen", criteria: [CHECK] });
      const hostile: [path: string, value: unknown][] = [
        ["{configuration,working_directory}", "/etc"],
        ["{configuration,persist}", "/etc/profile"],
        ["{configuration,notify,on_end}", "id"],
        ["{repository,url}", "ext::sh -c id"],
        ["{repository,base}", "--upload-pack=id"],
      ];
      for (const [path, value] of hostile) {
        const [row] = await made.database.ask("select doc::text from e8.task where task_id = $1", [id]);
        const sql = "update e8.task set doc = jsonb_set(doc::jsonb, $2::text[], $3::jsonb)::json where task_id = $1";
        await made.database.ask(sql, [id, path, JSON.stringify(value)]);
        await expect(ran(made, id, here), path).rejects.toMatchObject({ code: "task_refused" });
        await made.database.ask("update e8.task set doc = $2::json where task_id = $1", [id, row?.doc]);
      }
      await expect(ran(made, id, here, { repositories: ["https://github.com/**"] })).rejects.toMatchObject({
        code: "task_not_allowed",
        details: { id },
      });
      await expect(ran(made, id, here, { commands: ["npm test"] })).rejects.toMatchObject({ code: "task_not_allowed" });
      expect(await readdir(join(here.HOME, ".cache")).catch(() => [])).toEqual([]);
    });

    test("has no task with an id that is a path", async () => {
      const made = await madeStore(postgres().schema());
      await expect(ran(made, "../../etc", await machine())).rejects.toMatchObject({ code: "task_id_invalid" });
    });

    test("does not leave the checkout by a link of the repository", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      await symlink("/etc", join(remote.first, "out"));
      await git(remote.first, "add", "-A");
      await git(remote.first, "commit", "-qm", "a link");
      await git(remote.first, "push", "-q", remote.url, "main");
      for (const more of [{ working_directory: join(made.directory, "out") }, { skills_dir: "out" }]) {
        const id = await submitted(made, remote.url, { agent: "touch seen", criteria: [CHECK], ...more });
        await expect(ran(made, id, await machine()), JSON.stringify(more)).rejects.toMatchObject({
          code: "task_refused",
        });
      }
    });

    test("sees in the sandbox neither other tasks of the machine nor a way to its pushes", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const here = await machine();
      const signal = new AbortController().signal;
      const repository = { url: remote.url, base: "main", path: "" };
      const other = await openPlace({ task_id: "2026-01-23T09-00-00", repository, signal }, here);
      const fleet = join(here.HOME, ".cache/endless8/fleet");
      const agent = `ls '${fleet}'/*/places > seen; for one in '${fleet}'/*/repository.git; do touch "$one/trap" 2>/dev/null && echo written >> seen; done; ls '${other.directory}' >> seen 2>&1; true`;
      const id = await submitted(made, remote.url, { agent, criteria: [CHECK], sandbox: "contain" });

      expect(await ran(made, id, here, { sandbox: "contain" })).toMatchObject({ status: "completed" });

      const seen = await git(remote.url, "show", `refs/e8/${id}/1:seen`);
      expect(seen).toContain(id);
      expect(seen).not.toMatch(/2026-01-23T09-00-00-[0-9a-f]{8}\n|a\.txt|written/);
      await other.close();
    });

    test("gets nothing done on a machine whose sandbox cannot be had", async () => {
      const made = await madeStore(postgres().schema());
      const remote = await sharedRemote();
      const home = await machine();
      const programs = join(home.HOME, "bin");
      await mkdir(programs);
      const found = (name: string) =>
        (process.env.PATH ?? "")
          .split(":")
          .map((one) => join(one, name))
          .find(existsSync);
      for (const name of ["git", "sh", "bash", "touch", "test", "cat", "ps"])
        await symlink(found(name) ?? "/bin/false", join(programs, name));
      const id = await submitted(made, remote.url, { agent: "touch seen", criteria: [CHECK], sandbox: "contain" });

      vi.stubEnv("PATH", programs);
      onTestFinished(() => void vi.unstubAllEnvs());
      const run = ran(made, id, { ...home, PATH: programs }, { sandbox: "contain" });

      await expect(run).rejects.toMatchObject({ code: "sandbox_needed" });
      expect((await made.store.past(id)).iterations).toBe(0);
    });
  });
});

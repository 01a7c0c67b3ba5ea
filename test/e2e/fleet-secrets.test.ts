import { expect, test, vi } from "vitest";
import { type FleetBox, fleetBox } from "../support/fleet-box.ts";
import { sharedRemote } from "../support/fleet-remote.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import type { TestPostgres } from "../support/postgres-server.ts";
import { sandbox } from "../support/sandbox.ts";

const patiently = { timeout: 60_000, interval: 100 };
const SECRETS = { MY_API_TOKEN: "q7Kx92mVplsT4455zz", ANTHROPIC_API_KEY: "sk-ant-test-8Jd72KslQwe901" };
/** Its worker and its check print all that they can find, and the first check fails. */
const TELLS_ALL = {
  task: "tell all",
  agent: { command: "env; echo x >> hello" },
  criteria: [{ type: "command", command: "env; test $(wc -l < hello) -ge 2" }],
  logging: { raw_log: true },
};

describeWithPostgres("secrets of a machine that works for a fleet", (postgres) => {
  for (const [where, hasRepository] of [
    ["its own directory", false],
    ["a repository", true],
  ] as const)
    test(`are in no row and in no event of its worker, which works in ${where}`, async () => {
      const box = await fleetBox(postgres(), 5, await withSecrets());
      await box.write("tell.yaml", JSON.stringify(TELLS_ALL));
      const flags = hasRepository ? ["--repo", (await sharedRemote()).url] : [];
      const id = await box.submit("tell.yaml", ...flags);

      const worker = await box.worker("one", ...flags);
      await vi.waitFor(async () => expect(await box.statuses()).toEqual({ [id]: "completed" }), patiently);
      await vi.waitFor(() => expect(worker.events.at(-1)?.type).toBe("task-end"), patiently);
      worker.child.kill("SIGTERM");
      const { stderr } = await worker.ended;

      const texts: Record<string, string> = {
        ...(await rowsOf(postgres(), box)),
        events: JSON.stringify(worker.events),
        stderr,
      };
      const found = Object.entries(texts).filter(([, text]) =>
        Object.values(SECRETS).some((secret) => text.includes(secret)),
      );
      expect(found.map(([name]) => name)).toEqual([]);
      for (const name of ["record", "event", "output", "raw_line", "events"])
        expect(texts[name], name).toContain("[redacted: MY_API_TOKEN]");
    });
});

async function withSecrets() {
  const whole = await sandbox();
  return { ...whole, env: { ...whole.env, ...SECRETS } };
}

/** All that is in the store, by the names of its tables; those of the line have its schema before them. */
async function rowsOf(server: TestPostgres, { url }: FleetBox): Promise<Record<string, string>> {
  const schema = new URL(url).searchParams.get("schema");
  const tables = await server.ask(
    "select table_schema, table_name from information_schema.tables where table_schema like $1 || '%'",
    [schema],
  );
  const texts = tables.map(async ({ table_schema, table_name }) => {
    const rows = await server.ask(
      `select row_to_json(one)::text as text from "${table_schema}"."${table_name}" as one`,
    );
    const name = table_schema === schema ? table_name : `${table_schema}.${table_name}`;
    return [String(name), rows.map(({ text }) => text).join("\n")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

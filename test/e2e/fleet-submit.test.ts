import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetBox } from "../support/fleet-box.ts";
import { describeWithPostgres } from "../support/postgres.ts";

const TASK = {
  task: "say hello",
  agent: { command: "true" },
  criteria: [{ type: "command", command: "test -f hello" }],
};

describeWithPostgres("a task for the fleet", (postgres) => {
  test("may come from a file outside the project, whose path is in no row", async () => {
    const box = await fleetBox(postgres());
    const file = join(box.home, "outside.yaml");
    await writeFile(file, JSON.stringify(TASK));

    const ids = [await box.submit(file), await box.submit("--config", file)];

    expect(await box.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, "queued"])));
    const schema = new URL(box.url).searchParams.get("schema");
    const [row] = await postgres().ask(`select string_agg(doc::text, '') as docs from "${schema}".task`);
    expect(row?.docs).toContain("say hello");
    expect(row?.docs).not.toContain("outside.yaml");
  });

  test("is refused where its file outside the project has criteria that must stay hidden", async () => {
    const box = await fleetBox(postgres());
    const file = join(box.home, "outside.yaml");
    const hidden = { type: "command", command: "test -f hello", hidden: true, description: "says hello" };
    await writeFile(file, JSON.stringify({ ...TASK, criteria: [hidden] }));
    const refused = await box.e8(["submit", file]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("task_file");
  });

  test("has a priority that is one; a misspelled one is refused", async () => {
    const box = await fleetBox(postgres());
    const words = ["submit", "x", "--check", "true", "--agent-command", "true", "--priority"];
    const refused = await box.e8([...words, "hihg"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"hihg"');
    expect(refused.stderr).toContain("high");
    expect(await box.statuses()).toEqual({});
    for (const priority of ["high", "Normal", "P0", "p9", "高"])
      expect(await box.e8([...words, priority]), priority).toMatchObject({ code: 0 });
  });

  test("takes a note while it waits, and needs no e8 resume for it", async () => {
    const box = await fleetBox(postgres());
    const id = await box.submit("x", "--check", "true", "--agent-command", "true");
    const told = await box.e8(["tell", id, "mind the gap"]);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
    expect(told.stdout).not.toContain("e8 resume");
  });
});

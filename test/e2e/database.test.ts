import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { describeWithPostgres } from "../support/postgres.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";

const patiently = { timeout: 60_000, interval: 100 };
const WORK = ["run", "say hello", "--check", "test -f hello", "--agent-command", "echo working; touch hello", "--json"];

describeWithPostgres("a store in a database", (postgres) => {
  test("takes a run, and every command that looks at it finds it there and nowhere else", async () => {
    const url = withPassword(postgres().schema());
    const box = inProcess(await sandbox());
    const e8 = (...args: string[]) => box.e8([...args, "--store", url]);
    expect((await e8("list")).stderr).toContain("e8 fleet init");
    expect((await box.e8(["fleet", "init", url])).code).toBe(0);
    expect((await e8("list")).stderr).toContain("No tasks here yet");

    const ran = await box.e8([...WORK, "--raw-log", "--store", url]);
    expect(ran.code, ran.stderr).toBe(0);
    const { task_id: id, history_path } = resultOf(ran);
    expect(existsSync(join(box.project, ".e8/tasks"))).toBe(false);
    expect((await box.e8(["list"])).stdout).toBe("");

    const said = [
      await e8("list"),
      await e8("show"),
      await e8("show", id, "--json"),
      await e8("watch", id, "--plain"),
      await e8("logs"),
      await e8("query", "select task_id, status, iterations from tasks", "--csv"),
      await e8("diff"),
      await e8("fleet", "status"),
    ];
    expect(said.map(({ code }) => code)).toEqual(said.map(() => 0));
    expect(said.map(({ stdout, stderr }) => stdout + stderr).join("\n\n")).toMatch(
      /completed[\s\S]*say hello[\s\S]*working[\s\S]*hello/,
    );
    expect(said[5]?.stdout).toContain(`${id},completed,1`);
    await e8("knowledge", "add", "tabs are for indentation");
    expect((await e8("knowledge", "list")).stdout).toContain("tabs are");
    expect((await e8("knowledge", "search", "indentation")).stdout).toContain("tabs are");
    expect(history_path).toContain(id);
    const everything = JSON.stringify([ran, ...said]) + (await filesBelow(box.project));
    expect(everything).not.toContain("hunter2");
    expect((await e8("rm", id, "--yes")).code).toBe(0);
    expect((await e8("list")).stdout).toBe("");
  });

  test("is named by the environment or by endless8.yaml, which may hold no password", async () => {
    const url = postgres().schema();
    const box = inProcess(await sandbox());
    await box.e8(["fleet", "init", url]);
    const nosy = WORK.map((word) => word.replace("echo working", "env > seen"));
    await box.e8(nosy, { env: { ENDLESS8_STORE: url, PGPASSWORD: "hunter2" } });
    expect(await box.read("seen")).not.toMatch(/hunter2|postgres:/);
    expect((await box.e8(["list"], { env: { ENDLESS8_STORE: url } })).stdout).toContain("say hello");
    await box.write("endless8.yaml", `store: ${url}\nmax_iterations: 3\n`);
    expect((await box.e8(["list"])).stdout).toContain("say hello");
    expect((await box.e8(["list"], { env: { ENDLESS8_STORE: "files" } })).stdout).toBe("");
    const { stdout } = await box.e8([...WORK, "--dry-run"]);
    expect(stdout).toContain('"max_iterations": 3');
    expect(stdout).not.toContain(url);
    await box.write("endless8.yaml", `store: ${withPassword(url)}\n`);
    const refused = await box.e8(["list"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("password");
    expect(refused.stderr).not.toContain("hunter2");
  });

  test("gives the same answers as files, also to SQL; tasks move there and back", async () => {
    const url = postgres().schema();
    const box = inProcess(await sandbox());
    await box.e8(["fleet", "init", url]);
    await box.e8(["run", "again", "--check", "test -f never", "--agent-command", "echo x", "-n", "2", "--json"]);
    await box.e8(["knowledge", "add", "shared by all"]);
    const answers = async (...more: string[]) => {
      const asked = [
        ["query", "select * exclude (configuration) from tasks", "--json"],
        ["query", "select * from history", "--json"],
        ["query", "select * from knowledge", "--json"],
        ["query", "select count(*) from '.e8/history.jsonl'", "--json"],
        ["list", "--json"],
        ["show", "--json"],
        ["knowledge", "list", "--json"],
      ];
      const said: string[] = [];
      for (const words of asked)
        said.push((await box.e8([...words, ...more])).stdout.replaceAll(/"directory": .*/g, ""));
      return said;
    };
    const before = await answers();
    const files = await recordsBelow(box);

    const there = await box.e8(["import", "--move", "--store", url]);
    expect(there.code, there.stderr).toBe(0);
    expect(await box.tasks()).toEqual([]);
    expect(await answers("--store", url)).toEqual(before);
    expect((await box.e8(["import", "--store", url, "nothing"])).code).toBe(2);
    const back = await box.e8(["export", "--move", "--store", url, "--json"]);
    expect(JSON.parse(back.stdout)).toMatchObject({ tasks: [{ is_new: true }], knowledge: 0 });

    expect(await recordsBelow(box)).toEqual(files);
    expect(await answers()).toEqual(before);
    expect((await box.e8(["list", "--store", url])).stdout).toBe("");
    expect((await box.e8(["export"])).stderr).toContain("--store");
  });

  test("a task that cannot be moved stays and does not keep the others from it; texts with a NUL come back as they were", async () => {
    const url = postgres().schema();
    const box = inProcess(await sandbox());
    await box.e8(["fleet", "init", url]);
    for (const [agent, check] of [
      ["echo one", "false"],
      ["printf 'a\\000b'", "true"],
      ["echo three", "true"],
    ] as const)
      await box.e8(["run", "x", "--check", check, "--if-green", "work", "--agent-command", agent, "-n", "1"]);
    const [first = "", second = "", third = ""] = await box.tasks();
    const files = await recordsBelow(box);
    expect(files[`${second}/output.md`]).toBe("a\0b");
    await box.e8(["import", "--store", url, first]);
    await box.e8(["tell", first, "a later note"]);

    const there = await box.e8(["import", "--move", "--store", url]);

    expect(there.code).toBe(2);
    expect(there.stderr).toContain(`${first}  stays where it is:`);
    expect(there.stdout).toBe(`${second}  moved\n${third}  moved\n`);
    expect(await box.tasks()).toEqual([first]);
    const back = await box.e8(["export", "--move", "--store", url, second, third]);
    expect(back.code, back.stderr).toBe(0);
    expect(await recordsBelow(box)).toMatchObject(files);
    const again = await box.e8(["import", "--move", "--store", url, first, "--json"]);
    expect(JSON.parse(again.stdout).tasks).toMatchObject([{ task_id: first, error_code: "task_exists" }]);
  });

  test("a run is steered from elsewhere: told, paused, resumed, cancelled, and resumed again on another machine", async () => {
    const url = postgres().schema({ project: "steered" });
    const box = await sandbox();
    const elsewhere = inProcess({ ...box, project: join(box.home, "elsewhere") });
    await mkdir(elsewhere.project);
    await elsewhere.e8(["fleet", "init", url]);
    const e8 = (...args: string[]) => elsewhere.e8([...args, "--store", url], { cwd: elsewhere.project });
    const agent = "if [ -f go ]; then cat > prompt; touch done; else touch up; sleep 300; fi";
    const run = box.start(["run", "x", "--check", "test -f done", "--agent-command", agent, "--store", url, "--json"]);
    await vi.waitFor(() => expect(existsSync(join(box.project, "up"))).toBe(true), patiently);

    const status = async () => JSON.parse((await e8("list", "--json")).stdout)[0].status;
    expect((await e8("tell", "mind the gap")).code).toBe(0);
    expect(await e8("pause")).toMatchObject({ code: 0 });
    expect(await status()).toBe("paused");
    expect(await e8("resume")).toMatchObject({ code: 0 });
    expect(await status()).toBe("running");
    expect((await e8("run", "--resume")).stderr).toMatch(/is being run by/);
    expect(await e8("cancel")).toMatchObject({ code: 0 });
    expect(resultOf(await run.ended)).toMatchObject({ status: "cancelled" });

    await writeGo(elsewhere);
    const again = await e8("run", "--resume", "--json");
    expect(again.code, again.stderr).toBe(0);
    expect(resultOf(again)).toMatchObject({ status: "completed" });
    expect(await readFile(join(elsewhere.project, "prompt"), "utf8")).toContain("mind the gap");
  });
});

function withPassword(url: string): string {
  const found = new URL(url);
  found.password = "hunter2";
  return found.href;
}

async function writeGo({ project }: Sandbox): Promise<void> {
  const { writeFile } = await import("node:fs/promises");
  await writeFile(join(project, "go"), "");
}

async function filesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((path) => readFile(path, "latin1")))).join("\n");
}

/** The records of all tasks, by the names of their files. */
async function recordsBelow(box: Sandbox): Promise<Record<string, string>> {
  const records: Record<string, string> = {};
  for (const id of await box.tasks())
    for (const name of ["history.jsonl", "spending.jsonl", "events.jsonl", "knowledge.jsonl", "output.md"])
      records[`${id}/${name}`] = await box.read(`.e8/tasks/${id}/${name}`);
  return records;
}

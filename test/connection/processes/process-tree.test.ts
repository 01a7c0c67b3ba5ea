import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { processTable, withDescendants } from "../../../src/connection/processes/process-table.ts";
import { endOrphans, endTree, startTree, type Tree } from "../../../src/connection/processes/process-tree.ts";
import { startProgram, startStarved } from "../../support/program.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { eventually, isAlive, pidIn } from "./helpers.ts";

function start(cwd: string, script: string, task_token: string = randomUUID()): Tree {
  const stdin = "pipe" as const;
  const stderr = "ignore" as const;
  return startTree({ command: "bash", args: ["-c", script], cwd, environment: process.env, task_token, stdin, stderr });
}

test("ending a tree ends the children of children, also in their own sessions", async () => {
  const directory = await temporaryDirectory();
  const tree = start(
    directory,
    "bash -c 'setsid bash -c \"echo \\$\\$ > deep; exec tail -f /dev/null\" & wait' & wait",
  );
  const deep = await pidIn(join(directory, "deep"));

  await endTree(tree);

  expect([tree.child.pid ?? 0, deep].filter(isAlive)).toEqual([]);
});

test("a daemon is found by the environment that it inherited", async () => {
  const directory = await temporaryDirectory();
  const tree = start(directory, "(setsid sh -c 'echo $$ > daemon; exec tail -f /dev/null' &); tail -f /dev/null; true");
  const daemon = await pidIn(join(directory, "daemon"));
  const family = withDescendants(processTable().rows(), new Set([tree.child.pid ?? 0]));
  expect(family.has(daemon)).toBe(false);

  await endTree(tree);

  expect(isAlive(daemon)).toBe(false);
});

test("a broken pipe harms nothing else", async () => {
  const tree = start(await temporaryDirectory(), "exec tail -f /dev/null");
  const pipes = [tree.child.stdin, tree.child.stdout].flatMap((pipe) => pipe ?? []);
  const closed = pipes.map((pipe) => new Promise((resolve) => pipe.on("close", resolve))); // `once` would listen for errors, too

  for (const pipe of pipes) pipe.destroy(new Error("EIO"));
  await Promise.all(closed);

  expect(pipes.map((pipe) => pipe.errored?.message)).toEqual(["EIO", "EIO"]);
  expect(tree.child.exitCode).toBeNull();
  await endTree(tree);
});

test("a tree that ignores SIGTERM is killed after the grace", async () => {
  const directory = await temporaryDirectory();
  const tree = start(directory, "trap '' TERM; echo $$ > pid; while :; do sleep 0.2; done");
  const pid = await pidIn(join(directory, "pid"));

  await endTree(tree, 200);

  expect(await tree.exit).toMatchObject({ code: null, signal: "SIGKILL" });
  expect(isAlive(pid)).toBe(false);
});

test("a tree gets the time to clean up after itself", async () => {
  const directory = await temporaryDirectory();
  const tree = start(
    directory,
    "trap 'sleep 0.3; echo 1 > cleaned; exit 7' TERM; echo $$ > pid; while :; do sleep 0.1; done",
  );
  await pidIn(join(directory, "pid"));

  await endTree(tree);

  expect(await tree.exit).toMatchObject({ code: 7 });
  expect(await pidIn(join(directory, "cleaned"))).toBe(1);
});

test("ending a tree that has ended, or never started, does nothing", async () => {
  const directory = await temporaryDirectory();
  const ended = start(directory, "true");
  await ended.exit;
  const never = startTree({
    command: join(directory, "no such program"),
    args: [],
    cwd: directory,
    environment: process.env,
    task_token: "token",
    stdin: "ignore",
    stderr: "ignore",
  });

  expect((await never.exit).start_error).toContain("ENOENT");
  await expect(endTree(ended)).resolves.toBeUndefined();
  await expect(endTree(never)).resolves.toBeUndefined();
});

test("the number of an ended group is forgotten: it may belong to another group now", async () => {
  const directory = await temporaryDirectory();
  const ended = start(directory, "true");
  const leaving = start(directory, "tail -f /dev/null & echo $! > left");
  await Promise.all([ended.exit, leaving.exit]);
  const left = await pidIn(join(directory, "left"));

  expect(ended.group).toBeUndefined();
  expect(leaving.group).toBe(leaving.child.pid);
  await endTree(leaving);
  expect(isAlive(left)).toBe(false);
});

test("without free file descriptors, nothing is left running and no exception is uncaught", async () => {
  const program = startStarved("without-descriptors", await temporaryDirectory());

  expect(await program.next()).toEqual({
    alone: false,
    timed_out: true,
    ended_by: "SIGTERM",
    start_error: expect.stringContaining("EMFILE"),
    git: null,
    orphans: "file_unreadable",
    left: 0,
  });
});

test("a guard that was killed is replaced by one that knows all groups", async () => {
  const directory = await temporaryDirectory();
  const program = startProgram("two-commands", directory);
  await program.next();
  const pids = [await pidIn(join(directory, "first")), await pidIn(join(directory, "second"))];

  await program.kill("SIGKILL");

  await eventually("both are gone", () => !pids.some(isAlive));
});

test("writing to a program that has stopped reading does no harm", async () => {
  const directory = await temporaryDirectory();
  const tree = start(directory, "exec 0<&-; exit 4");

  tree.child.stdin?.write("x".repeat(1_000_000));
  tree.child.stdin?.end();

  expect(await tree.exit).toMatchObject({ code: 4 });
});

test("a restart finds and ends the processes of its task, and no others", async () => {
  const directory = await temporaryDirectory();
  const token = randomUUID();
  const mine = start(directory, "setsid bash -c 'echo $$ > mine; tail -f /dev/null; true' & wait", token);
  const other = start(directory, "echo $$ > other; tail -f /dev/null; true", `${token}-2`);
  const left = await pidIn(join(directory, "mine"));
  const foreign = await pidIn(join(directory, "other"));

  const count = await endOrphans(token);

  expect(count).toBeGreaterThanOrEqual(3);
  expect([mine.child.pid ?? 0, left].filter(isAlive)).toEqual([]);
  expect(isAlive(foreign)).toBe(true);
  await endTree(other);
});

test("a restart inside its own task spares itself and its ancestors", async () => {
  const directory = await temporaryDirectory();
  const token = randomUUID();
  const loader = new URL("../../support/typescript-register.mjs", import.meta.url).href;
  const program = fileURLToPath(new URL("../../support/programs/end-orphans.ts", import.meta.url));
  const restart = `'${process.execPath}' --import '${loader}' '${program}' ${token}`;
  const tree = start(directory, `tail -f /dev/null & ${restart}; echo survived`, token);
  let output = "";
  tree.child.stdout?.on("data", (chunk) => {
    output += chunk;
  });

  await once(tree.child, "close");

  expect(output).toMatch(/^[1-9]\nsurvived\n$/);
});

test("when the program is killed, its commands and all their descendants end", async () => {
  const directory = await temporaryDirectory();
  // The pause lets the program tell its guard of the group, on a busy machine, too.
  const command = "echo $$ > shell; sleep 1; sh -c 'echo $$ > below; exec tail -f /dev/null'; true";
  const program = startProgram("run-command", directory, command);
  const pids = [await pidIn(join(directory, "shell")), await pidIn(join(directory, "below"))];

  await program.kill("SIGKILL");

  await eventually("both are gone", () => !pids.some(isAlive));
});

test("a program that ends leaves no process behind", async () => {
  const directory = await temporaryDirectory();
  const program = startProgram("run-command", directory, "echo $$ > begun; until [ -e go ]; do sleep 0.05; done");
  await pidIn(join(directory, "begun"));
  const children = processTable()
    .rows()
    .filter((row) => row.parent === program.pid);

  await writeFile(join(directory, "go"), "");
  const [code] = await once(program.child, "exit");

  expect(code).toBe(0);
  expect(children).toHaveLength(2); // the command, and the guard beside it
  await eventually("both are gone", () => !children.some(({ pid }) => isAlive(pid)));
});

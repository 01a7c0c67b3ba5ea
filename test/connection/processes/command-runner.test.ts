import { randomUUID } from "node:crypto";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CommandOutcome, CommandRequest } from "../../../src/connection/ports/commands.ts";
import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { eventually, isAlive, never, pidIn } from "./helpers.ts";

interface Run extends Partial<CommandRequest> {
  command: string;
  project?: string;
  signal?: AbortSignal;
  environment?: Record<string, string>;
}

async function run({ project, signal, environment, ...request }: Run): Promise<CommandOutcome> {
  const directory = project ?? (await temporaryDirectory());
  const options = { project: directory, task_token: randomUUID(), ...(environment && { environment }) };
  const runner = createCommandRunner(options);
  return runner.run({ timeout_seconds: 60, pipefail: false, ...request }, signal ?? never);
}

test("a command's exit code, output and duration are its outcome", async () => {
  const outcome = await run({ command: "echo out; echo err >&2; exit 3" });

  expect(outcome).toMatchObject({ exit_code: 3, signal: null, timed_out: false, start_error: null });
  expect(outcome.output_tail).toBe("out\nerr\n");
  expect(outcome.seconds).toBeGreaterThan(0);
});

test("stdout and stderr come in the order they were written", async () => {
  const outcome = await run({ command: "for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done" });

  expect(outcome.output_tail.split("\n").filter(Boolean)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].flatMap((i) => [`o${i}`, `e${i}`]),
  );
});

test.each([
  [
    "a line that cannot be read",
    "echo )",
    "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo )'\n",
  ],
  ["a later line that cannot be read", "echo a\nif )", /^a\nbash: -c: line 2: syntax error/],
  ["a line that fails", "true\nno-such-program-e8", "bash: line 2: no-such-program-e8: command not found\n"],
  ["a comment and no command", "# nothing", ""],
])("%s is reported as the shell itself reports it", async (_what, command, said) => {
  expect((await run({ command })).output_tail).toEqual(typeof said === "string" ? said : expect.stringMatching(said));
});

test("a command runs in the project directory, whatever its name", async () => {
  const project = await temporaryDirectory();

  expect((await run({ command: "pwd", project })).output_tail).toBe(`${project}\n`);
});

test("a command that a signal ended has that signal and no exit code", async () => {
  expect(await run({ command: "kill -KILL $$" })).toMatchObject({ exit_code: null, signal: "SIGKILL" });
});

test("a command that does not exist exits 127 and is named", async () => {
  const outcome = await run({ command: "surely-no-such-program" });

  expect(outcome).toMatchObject({ exit_code: 127, start_error: null });
  expect(outcome.output_tail).toContain("surely-no-such-program");
});

test("a file that is not executable exits 126", async () => {
  const project = await temporaryDirectory();
  await writeFile(join(project, "script"), "echo hello\n");

  expect(await run({ command: "./script", project })).toMatchObject({ exit_code: 126 });
});

test("a project directory that is missing or a file is a start error, not an exception", async () => {
  const project = await temporaryDirectory();
  await writeFile(join(project, "file"), "");

  const missing = await run({ command: "true", project: join(project, "gone") });
  const file = await run({ command: "true", project: join(project, "file") });

  expect(missing).toMatchObject({ exit_code: null, start_error: saying("does not exist") });
  expect(file).toMatchObject({ exit_code: null, start_error: saying("not a directory") });
});

test("a command too long for the system is a start error", async () => {
  const outcome = await run({ command: `true ${"x".repeat(4_000_000)}` });

  expect(outcome).toMatchObject({ exit_code: null, start_error: expect.stringMatching(/E2BIG/) });
});

test("only pipefail makes a failure before a pipe count", async () => {
  expect(await run({ command: "false | cat" })).toMatchObject({ exit_code: 0 });
  expect(await run({ command: "false | cat", pipefail: true })).toMatchObject({ exit_code: 1 });
});

test("where there is no bash, sh runs the command", async () => {
  const bin = await temporaryDirectory();
  await symlink("/bin/sh", join(bin, "sh"));

  const outcome = await run({ command: "echo $0", environment: { PATH: bin } });

  expect(outcome).toMatchObject({ exit_code: 0, output_tail: "sh\n" });
});

test("stdin is empty by default", async () => {
  expect(await run({ command: "cat; read line; echo read: $?" })).toMatchObject({ output_tail: "read: 1\n" });
});

test("the end of a long output is kept, from the start of a line", async () => {
  const { output_tail, exit_code } = await run({ command: "seq 1 1500000" });

  expect(exit_code).toBe(0);
  expect(Buffer.byteLength(output_tail)).toBeLessThanOrEqual(16 * 1024);
  expect(output_tail.length).toBeGreaterThan(15 * 1024);
  expect(output_tail).toMatch(/^1\d{6}\n/);
  expect(output_tail.endsWith("1499999\n1500000\n")).toBe(true);
});

test("an output of one endless line is cut between characters", async () => {
  const { output_tail } = await run({ command: `node -e 'process.stdout.write("日".repeat(100000))'` });

  expect(output_tail).toMatch(/^日+$/);
});

test("a character that arrives in two pieces is put together", async () => {
  const { output_tail } = await run({ command: "printf '\\346\\227'; sleep 0.3; printf '\\245\\n'" });

  expect(output_tail).toBe("日\n");
});

test("an endless output does not fill the memory", async () => {
  const before = process.memoryUsage().rss;

  const outcome = await run({ command: "yes 'no news'", timeout_seconds: 3 });

  expect(outcome).toMatchObject({ timed_out: true, exit_code: null });
  expect(outcome.output_tail.endsWith("no news\n") || outcome.output_tail.includes("no news")).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("a time-out ends all processes of the command, in other sessions, too", async () => {
  const project = await temporaryDirectory();
  const command = `
    (trap '' TERM; echo $BASHPID > stubborn; while :; do sleep 1; done) &
    setsid sh -c 'echo $$ > session; exec tail -f /dev/null' &
    nohup sh -c 'echo $$ > nohup; exec tail -f /dev/null' >/dev/null 2>&1 &
    setsid env -i sh -c 'echo $$ > bare; exec tail -f /dev/null' &
    echo started; wait`;

  const outcome = await run({ command, project, timeout_seconds: 5 }); // time enough to start all four

  expect(outcome).toMatchObject({ timed_out: true, exit_code: null, output_tail: "started\n" });
  const pids = await Promise.all(["stubborn", "session", "nohup", "bare"].map((name) => pidIn(join(project, name))));
  expect(pids.filter(isAlive)).toEqual([]);
});

test("a program that exits with 0 after the time-out has not passed", async () => {
  const outcome = await run({ command: "trap 'exit 0' TERM; while :; do sleep 0.1; done", timeout_seconds: 1 });

  expect(outcome).toMatchObject({ timed_out: true, exit_code: null, signal: "SIGTERM" });
});

test("an abort ends the command and all its descendants", async () => {
  const project = await temporaryDirectory();
  const controller = new AbortController();
  const running = run({ command: "echo $$ > pid; tail -f /dev/null; true", project, signal: controller.signal });
  const pid = await pidIn(join(project, "pid"));

  controller.abort();

  expect(await running).toMatchObject({ timed_out: false, exit_code: null, signal: "SIGTERM", start_error: null });
  expect(isAlive(pid)).toBe(false);
});

test("after an abort nothing is started", async () => {
  const project = await temporaryDirectory();
  const outcome = await run({ command: "touch made", project, signal: AbortSignal.abort() });

  expect(outcome).toMatchObject({ exit_code: null, start_error: saying("cancelled") });
});

test("a background child that holds the output neither delays the outcome nor survives it", async () => {
  const project = await temporaryDirectory();
  const command = "sh -c 'echo $$ > pid; exec tail -f /dev/null' & while [ ! -s pid ]; do sleep 0.05; done; echo done";

  const outcome = await run({ command, project, timeout_seconds: 50 });

  expect(outcome).toMatchObject({ exit_code: 0, timed_out: false, output_tail: "done\n" });
  expect(isAlive(await pidIn(join(project, "pid")))).toBe(false);
});

test("a daemon in its own session may stay, and does not delay the outcome", async () => {
  const project = await temporaryDirectory();
  const command = "setsid sh -c 'echo $$ > pid; exec tail -f /dev/null' & while [ ! -s pid ]; do sleep 0.05; done";

  const outcome = await run({ command, project, timeout_seconds: 50 });

  const pid = await pidIn(join(project, "pid"));
  expect(outcome).toMatchObject({ exit_code: 0, timed_out: false });
  expect(isAlive(pid)).toBe(true);
  process.kill(pid);
  await eventually("the daemon ended", () => !isAlive(pid));
});

test("commands carry the markers by which they are found later", async () => {
  const outcome = await run({
    command: 'echo "$ENDLESS8_TASK|$ENDLESS8_PROCESS|$KEPT"',
    environment: { ...process.env, KEPT: "yes" } as Record<string, string>,
  });

  expect(outcome.output_tail).toMatch(/^[0-9a-f-]{36}\|[0-9a-f-]{36}\|yes\n$/);
});

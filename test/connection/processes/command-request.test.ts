import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandOutcome, CommandRequest } from "../../../src/connection/ports/commands.ts";
import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { never } from "./helpers.ts";

async function run(request: Partial<CommandRequest> & { command: string }, project?: string): Promise<CommandOutcome> {
  const environment = { PATH: process.env.PATH, BASE: "base", BOTH: "base" };
  const runner = createCommandRunner({
    project: project ?? (await temporaryDirectory()),
    environment,
    task_token: randomUUID(),
  });
  return runner.run({ timeout_seconds: 60, pipefail: false, ...request }, never);
}

describe("arguments", () => {
  const hostile = ["$(touch pwned)", "'; touch pwned; '", '"`touch pwned`', "a\nb", "", "-c", "*", "日本 語"];

  test("reach the command word for word, whatever characters they hold", async () => {
    const project = await temporaryDirectory();

    const { output_tail } = await run({ command: `printf '[%s]' "$@"`, arguments: hostile }, project);

    expect(output_tail).toBe(hostile.map((word) => `[${word}]`).join(""));
    expect(existsSync(join(project, "pwned"))).toBe(false);
  });

  test("are numbered from one", async () => {
    expect(await run({ command: 'echo "$0 $1 $2"', arguments: ["one", "two"] })).toMatchObject({
      output_tail: "e8 one two\n",
    });
  });

  test('form the whole command line when the command is "$@"', async () => {
    const words = [process.execPath, "-e", "console.log(process.argv.slice(1))", "a b", "$HOME"];

    const { output_tail, exit_code } = await run({ command: 'exec "$@"', arguments: words, separate_stdout: true });

    expect(output_tail).toBe("[ 'a b', '$HOME' ]\n");
    expect(exit_code).toBe(0);
  });

  test("exit 127 when the program they name does not exist", async () => {
    expect(await run({ command: 'exec "$@"', arguments: ["surely no such program"] })).toMatchObject({
      exit_code: 127,
      output_tail: expect.stringContaining("surely no such program"),
    });
  });
});

test("a request's environment is added to the one of all commands, and wins", async () => {
  const environment = { BOTH: "own", OWN: "$(own)" };

  expect(await run({ command: 'echo "$BASE $BOTH $OWN"', environment })).toMatchObject({
    output_tail: "base own $(own)\n",
  });
});

describe("stdin", () => {
  test("is the request's text, complete", async () => {
    const stdin = "日本\n".repeat(200_000);

    expect(await run({ command: "wc -c", stdin })).toMatchObject({
      output_tail: expect.stringContaining(String(Buffer.byteLength(stdin))),
    });
  });

  test("may be empty, and ends at once", async () => {
    expect(await run({ command: "cat; echo end", stdin: "" })).toMatchObject({ output_tail: "end\n" });
  });

  test("does not make the shell read the user's start files", async () => {
    const HOME = await temporaryDirectory();
    await writeFile(join(HOME, ".bashrc"), "echo started");

    expect(await run({ command: "cat", stdin: "given", environment: { HOME } })).toMatchObject({
      output_tail: "given",
    });
  });

  test("may stay unread", async () => {
    expect(await run({ command: "exit 4", stdin: "x".repeat(1_000_000) })).toMatchObject({ exit_code: 4 });
  });
});

describe("stdout alone", () => {
  test("is returned on request, beside both streams together", async () => {
    const command = "echo out; sleep 0.2; echo err >&2; sleep 0.2; echo more";

    const outcome = await run({ command, separate_stdout: true });

    expect(outcome.stdout).toBe("out\nmore\n");
    expect(outcome.output_tail).toBe("out\nerr\nmore\n");
  });

  test("is not returned without a request", async () => {
    expect(await run({ command: "echo out" })).not.toHaveProperty("stdout");
  });

  test("is complete up to 64 KB, also when a character lies across the middle", async () => {
    const script = "process.stdout.write('x' + '日'.repeat(21845))";

    const { stdout } = await run({ command: `node -e "${script}"`, separate_stdout: true });

    expect(stdout).toBe(`x${"日".repeat(21845)}`);
  });

  test("is complete up to the limit of the request", async () => {
    const { stdout = "" } = await run({ command: "seq 1 100000", separate_stdout: true, stdout_bytes: 2 ** 20 });

    expect(stdout.split("\n")).toHaveLength(100_001);
  });

  test("keeps its beginning and its end beyond that, and says how much is missing", async () => {
    const { stdout = "" } = await run({ command: "seq 1 100000", separate_stdout: true });

    expect(stdout.startsWith("1\n2\n3\n")).toBe(true);
    expect(stdout.endsWith("99999\n100000\n")).toBe(true);
    expect(stdout).toMatch(/\n\[… \d+ bytes left out …\]\n/);
    expect(Buffer.byteLength(stdout)).toBeLessThan(65 * 1024);
    expect(Buffer.byteLength(stdout)).toBeGreaterThan(63 * 1024);
  });

  test("is cut between characters", async () => {
    const { stdout } = await run({ command: `node -e "console.log('日'.repeat(100000))"`, separate_stdout: true });

    expect(stdout).not.toContain("\uFFFD");
  });

  test("is returned for a command that was cut off, too", async () => {
    const command = "echo begun; tail -f /dev/null; true";

    expect(await run({ command, separate_stdout: true, timeout_seconds: 1 })).toMatchObject({
      timed_out: true,
      stdout: "begun\n",
    });
  });
});

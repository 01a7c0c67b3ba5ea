import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeProcess } from "../../../src/connection/agents/claude/process.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { eventually, isAlive, pidIn } from "../processes/helpers.ts";

async function started(script: string) {
  const cwd = await temporaryDirectory();
  const claude = new ClaudeProcess({ task_token: `test ${cwd}` });
  onTestFinished(() => claude.end());
  const spawn = { command: "/bin/sh", args: ["-c", script], cwd, env: { PATH: process.env.PATH } };
  const alive = () => [...processTable().carrying(`ENDLESS8_TASK=test ${cwd}`)];
  return { claude, spawn, alive };
}

test("what it complains about is kept, and how it ended", async () => {
  const { claude, spawn } = await started("echo REFUSED >&2; exit 3");

  claude.spawn(spawn);
  await eventually("it has complained", () => claude.stderr !== "");
  await eventually("it has ended", () => claude.exit !== undefined);

  expect(claude.exit).toMatchObject({ code: 3 });
  expect(claude.stderr).toBe("REFUSED");
});

test("one that was interrupted before it was started is ended as soon as it is", async () => {
  const { claude, spawn, alive } = await started("exec sleep 60");

  claude.interrupt();
  claude.spawn(spawn);

  await claude.gone;
  expect(alive()).toEqual([]);
});

test("what it leaves running does not keep the reader waiting for more", async () => {
  const { claude, spawn } = await started("echo '{}'; sleep 60 & exit 3");

  const { stdout } = claude.spawn(spawn);

  expect(await lines(stdout)).toEqual(["{}"]);
  expect(claude.exit).toMatchObject({ code: 3 });
}, 10_000);

test("what it leaves running, out of reach, does not keep this program from ending", async () => {
  const { claude, spawn } = await started("env -i setsid sh -c 'echo $$ > pid; exec sleep 60' >/dev/null & exit 3");
  const pipes = () => process.getActiveResourcesInfo().filter((kind) => kind === "PipeWrap").length;

  claude.spawn(spawn);
  await eventually("it has exited", () => claude.exit !== undefined);
  const pid = await pidIn(join(spawn.cwd, "pid"));
  onTestFinished(() => void process.kill(pid));
  await sleep(500);
  const held = pipes();

  await eventually("its pipes are let go", () => pipes() < held);
  expect(isAlive(pid)).toBe(true);
});

async function lines(input: Readable): Promise<string[]> {
  const all: string[] = [];
  for await (const line of createInterface({ input })) all.push(line);
  return all;
}

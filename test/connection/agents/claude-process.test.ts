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
  const claude = new ClaudeProcess(`test ${cwd}`);
  onTestFinished(() => claude.end());
  const spawn = { command: "/bin/sh", args: ["-c", script], cwd, env: { PATH: process.env.PATH } };
  claude.startAhead(spawn);
  const alive = () => [...processTable().carrying(`ENDLESS8_TASK=test ${cwd}`)];
  return { claude, spawn, alive };
}

test("a program that has died before the SDK asks for it is started once more, and what it says is told once", async () => {
  const { claude, spawn } = await started("echo REFUSED >&2; exit 3");
  await eventually("it has died", () => claude.exit !== undefined);

  const child = claude.spawn(spawn);
  await new Promise((resolve) => child.once("exit", resolve));
  await eventually("it has complained", () => claude.stderr !== "");
  await sleep(50);

  expect(claude.exit).toMatchObject({ code: 3 });
  expect(claude.stderr).toBe("REFUSED");
});

test("a program that the SDK asks for otherwise replaces the one that was foreseen, which is ended", async () => {
  const { claude, spawn, alive } = await started("echo FORESEEN >&2; exec sleep 60");
  await eventually("it complains", () => claude.stderr !== "");
  const [foreseen] = alive();

  claude.spawn({ ...spawn, args: ["-c", "echo ASKED >&2; exec sleep 60"] });
  await eventually("the other complains", () => claude.stderr !== "");
  await eventually("the first is gone", () => !alive().includes(foreseen ?? 0));

  expect(claude.exit).toBeUndefined();
  expect(claude.stderr).toBe("ASKED");
  expect(alive()).toHaveLength(1);
  await claude.end();
  expect(alive()).toEqual([]);
});

test("what it has said before the SDK asks for it is not lost", async () => {
  const { claude, spawn } = await started("echo '{}'; exec sleep 60");
  await sleep(200);

  const { stdout } = claude.spawn(spawn);
  const [said] = await stdout.take(1).toArray();

  expect(String(said)).toBe("{}\n");
});

test("that it has nothing more to say is not lost, either: a reader that comes later would wait for ever", async () => {
  const { claude, spawn } = await started("exec >&-; exec sleep 60");
  await sleep(200);

  const { stdout } = claude.spawn(spawn);
  await sleep(50);

  expect(await lines(stdout)).toEqual([]);
  expect(claude.exit).toBeUndefined();
}, 5_000);

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

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isAlive,
  ownIdentity,
  type ProcessIdentity,
} from "../../../../src/connection/stores/files/process-identity.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const NO_PROC = "/there is no proc here";

/** A /proc as Linux shows it, with processes of our choice beside ourselves. */
async function fakeProc(
  processes: Record<number, { name?: string; state?: string; started: string }>,
): Promise<string> {
  const proc = await temporaryDirectory();
  await mkdir(join(proc, "sys/kernel/random"), { recursive: true });
  await writeFile(join(proc, "sys/kernel/random/boot_id"), "this-boot\n");
  for (const [pid, { name = "node", state = "S", started }] of Object.entries(processes)) {
    await mkdir(join(proc, pid));
    const middle = Array.from({ length: 18 }, () => "0").join(" ");
    await writeFile(join(proc, pid, "stat"), `${pid} (${name}) ${state} ${middle} ${started} 0 0\n`);
  }
  return proc;
}

const somebody = async (proc: string, more: Partial<ProcessIdentity>): Promise<ProcessIdentity> => ({
  ...(await ownIdentity(proc)),
  pid: 77,
  started: "500",
  ...more,
});

test("this process knows itself and is alive", async () => {
  const own = await ownIdentity();
  expect(own.pid).toBe(process.pid);
  expect(own.host).not.toBe("");
  expect(await isAlive(own)).toBe(true);
});

test("the process with that number and that start is the same one, whatever its name holds", async () => {
  const proc = await fakeProc({ [process.pid]: { started: "1" }, 77: { name: "a) R 1 2 (b", started: "500" } });
  expect(await isAlive(await somebody(proc, {}), proc)).toBe(true);
  expect(await isAlive(await somebody(proc, { started: "499" }), proc)).toBe(false);
  expect(await isAlive(await somebody(proc, { pid: 78 }), proc)).toBe(false);
});

test("a zombie has ended, a suspended process has not", async () => {
  const proc = await fakeProc({
    [process.pid]: { started: "1" },
    77: { state: "Z", started: "500" },
    78: { state: "T", started: "500" },
  });
  expect(await isAlive(await somebody(proc, {}), proc)).toBe(false);
  expect(await isAlive(await somebody(proc, { pid: 78 }), proc)).toBe(true);
});

test("a process of an earlier boot is dead; one on another host counts as alive", async () => {
  const proc = await fakeProc({ [process.pid]: { started: "1" }, 77: { started: "500" } });
  expect(await isAlive(await somebody(proc, { boot_id: "earlier" }), proc)).toBe(false);
  expect(await isAlive(await somebody(proc, { host: "elsewhere", boot_id: "other", pid: 78 }), proc)).toBe(true);
});

test("without /proc a process is alive as long as it can be signalled", async () => {
  const child = spawn("sleep", ["600"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const identity = await somebody(NO_PROC, { pid: child.pid ?? 0, started: null });
  expect((await ownIdentity(NO_PROC)).started).toBeNull();
  expect(await isAlive(identity, NO_PROC)).toBe(true);

  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await isAlive(identity, NO_PROC)).toBe(false);
});

test("boot and start are what the kernel says", async () => {
  const proc = await fakeProc({ [process.pid]: { started: "12345" } });
  expect(await ownIdentity(proc)).toMatchObject({ boot_id: "this-boot", started: "12345" });
});

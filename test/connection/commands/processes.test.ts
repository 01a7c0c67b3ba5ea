import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type ProcessTable,
  procTable,
  psTable,
  selfAndAncestors,
  withDescendants,
} from "../../../src/connection/commands/processes.ts";
import { eventually } from "./helpers.ts";

const tables: [string, ProcessTable][] = [["ps", psTable]];
if (existsSync("/proc/self/stat")) tables.push(["/proc", procTable]);

describe.each(tables)("the process table by %s", (_name, table) => {
  test("shows this process with its parent", () => {
    const self = table.rows().find((row) => row.pid === process.pid);

    expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
  });

  test("shows a detached child as its own group, and what it carries", async () => {
    const token = `with space ${randomUUID()}`;
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env.PATH, E8_TEST: token },
    });
    onTestFinished(() => void child.kill("SIGKILL"));

    await eventually("it runs", () => table.carrying(`E8_TEST=${token}`).has(child.pid ?? 0));

    expect(table.rows().find((row) => row.pid === child.pid)).toMatchObject({ parent: process.pid, group: child.pid });
    expect(table.carrying(`E8_TEST=${token.slice(0, -1)}`).size).toBe(0);
  });
});

test("descendants are found through any number of generations", () => {
  const row = (pid: number, parent: number) => ({ pid, parent, group: pid, started: "" });
  const rows = [row(5, 4), row(4, 3), row(3, 1), row(9, 1)];

  expect([...withDescendants(rows, new Set([3]))].sort()).toEqual([3, 4, 5]);
});

test("this process and its parent are among those to spare", () => {
  const line = selfAndAncestors(psTable.rows());

  expect(line.has(process.pid) && line.has(process.ppid)).toBe(true);
});

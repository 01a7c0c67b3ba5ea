import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ProcessRow } from "../../../src/connection/processes/process-table.ts";
import {
  type ProcessTable,
  procTable,
  psTable,
  selfAndAncestors,
  treeMembers,
  withDescendants,
} from "../../../src/connection/processes/process-table.ts";
import { eventually } from "./helpers.ts";

const tables: [string, ProcessTable][] = [["ps", psTable]];
if (existsSync("/proc/self/stat")) tables.push(["/proc", procTable]);

describe.each(tables)("the process table by %s", (_name, table) => {
  test("shows this process with its parent", () => {
    const self = table.rows().find((row) => row.pid === process.pid);

    expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
  });

  test("shows a detached child as its own group, with its environment", async () => {
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

test("this process and its parent are spared", () => {
  const line = selfAndAncestors(psTable.rows());

  expect(line.has(process.pid) && line.has(process.ppid)).toBe(true);
});

const row = (pid: number, parent: number, group: number, started = "1"): ProcessRow => ({
  pid,
  parent,
  group,
  started,
});

function members(group: number | undefined, carrying: number[] = []) {
  const select = treeMembers({ group: () => group, carrying: () => new Set(carrying) });
  return (...rows: ProcessRow[]) => [...select(rows)].sort();
}

test("a member stays known after its parent has died and it has left the group", () => {
  const select = members(10);

  expect(select(row(10, 1, 10), row(11, 10, 11), row(20, 1, 20))).toEqual([10, 11]);
  expect(select(row(11, 1, 11), row(12, 11, 12), row(20, 1, 20))).toEqual([11, 12]);
});

test("another process with the number of an ended member is not a member, nor are its children", () => {
  const select = members(10);
  select(row(10, 1, 10), row(11, 10, 11));

  expect(select(row(11, 1, 11, "2"), row(12, 11, 11, "2"))).toEqual([]);
});

test("a forgotten group is not searched", () => {
  expect(members(undefined, [30])(row(10, 1, 10), row(30, 1, 30))).toEqual([30]);
});

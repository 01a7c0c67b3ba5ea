import { expect, test } from "vitest";
import type { ProcessRow } from "../../../src/connection/commands/processes.ts";
import { treeMembers } from "../../../src/connection/commands/tree-members.ts";

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

test("whoever was seen stays known after its parent has died and it has moved away", () => {
  const select = members(10);

  expect(select(row(10, 1, 10), row(11, 10, 11), row(20, 1, 20))).toEqual([10, 11]);
  expect(select(row(11, 1, 11), row(12, 11, 12), row(20, 1, 20))).toEqual([11, 12]);
});

test("a stranger that was given the number of one who has ended is not taken for it, nor are its children", () => {
  const select = members(10);
  select(row(10, 1, 10), row(11, 10, 11));

  expect(select(row(11, 1, 11, "2"), row(12, 11, 11, "2"))).toEqual([]);
});

test("a group that was left is not looked into", () => {
  expect(members(undefined, [30])(row(10, 1, 10), row(30, 1, 30))).toEqual([30]);
});

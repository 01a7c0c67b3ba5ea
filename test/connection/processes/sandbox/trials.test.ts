import { join } from "node:path";
import { expect, test } from "vitest";
import type { Mount } from "../../../../src/connection/ports/sandbox.ts";
import { kindOfTrial, oncePossible } from "../../../../src/connection/processes/sandbox/trials.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("what was possible once is not tried again, and what failed is", async () => {
  const tried: string[] = [];
  const attempt = (kind: string, problem: string | undefined) =>
    oncePossible(kind, async () => {
      tried.push(kind);
      return problem;
    });

  await Promise.all([attempt("works", undefined), attempt("works", undefined)]);
  await attempt("works", undefined);
  for (const _ of ["first", "second"]) expect(await attempt("fails", "not permitted")).toBe("not permitted");
  await expect(oncePossible("throws", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await attempt("throws", undefined);

  expect(tried).toEqual(["works", "fails", "fails", "throws"]);
});

test("two runs try the same where their mounts are of the same kinds, and not where one can do more", async () => {
  const folder = await temporaryDirectory();
  const other = await temporaryDirectory();
  const kind = (mounts: Mount[], more = {}) => kindOfTrial({ folder, views: [{ mounts, ...more }] }, "0 bubblewrap");
  const shown = (at: string, writable = false): Mount => ({ is: "bind", from: at, at, writable });

  expect(kind([shown(folder)])).toBe(kind([shown(other)]));
  expect(kind([shown(folder), shown(join(folder, "missing"))])).toBe(kind([shown(other)]));
  const others = [
    kind([shown(folder, true)]),
    kind([{ is: "empty", at: folder }]),
    kind([shown("/proc")]),
    kind([shown(folder)], { is_read_only: true }),
    kind([shown(folder)], { network: "none" }),
  ];
  expect(new Set([...others, kind([shown(folder)])]).size).toBe(6);
});

import { expect, test } from "vitest";
import { lockedFlags, mountTable } from "../../../../src/connection/processes/sandbox/mount-table.ts";

const TABLE = mountTable(
  String.raw`21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 21 0:30 / /home rw,nosuid,nodev,relatime - ext4 /dev/vdb rw
31 30 0:31 / /home/a\040b rw,noexec,noatime - tmpfs tmpfs rw
32 21 0:32 / /home2 rw,noexec - tmpfs tmpfs rw
`,
);

test("the flags of the file system that a path is on must be kept when it is made read-only", () => {
  expect(lockedFlags("/home/user/.npm", TABLE)).toEqual(["nosuid", "nodev"]);
  expect(lockedFlags("/home/a b/c", TABLE)).toEqual(["noexec", "noatime"]);
  expect(lockedFlags("/home2", TABLE)).toEqual(["noexec"]);
  expect(lockedFlags("/usr", TABLE)).toEqual([]);
});

test("a path with a space is read as it is", () => {
  expect(TABLE.map(({ path }) => path)).toEqual(["/", "/home", "/home/a b", "/home2"]);
});

import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCode, readFault, writeFault } from "../../../../src/connection/stores/files/faults.ts";
import { E8Error } from "../../../../src/model/errors.ts";
import { errorText } from "../../../../src/texts/sentences.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test.each([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EFBIG", "disk_full"],
  ["EACCES", "no_permission"],
  ["EPERM", "no_permission"],
  ["EROFS", "no_permission"],
  ["EIO", "write_failed"],
  ["ENOTDIR", "write_failed"],
  ["EISDIR", "file_is_directory"],
])("a write that fails with %s is reported as %s, with its file", (code, fault) => {
  const error = Object.assign(new Error("the system says no"), { code });
  expect(writeFault(error, "/a/file")).toMatchObject({ code: fault, details: { path: "/a/file" }, cause: error });
});

test("a directory that is read as a file is called one, in both languages, with what to do", async () => {
  const directory = await temporaryDirectory();
  const fault = readFault(await readFile(directory).catch((error) => error), directory);
  expect(fault).toMatchObject({ code: "file_is_directory", details: { path: directory } });
  expect(errorText(fault, "en").message).toBe(`${directory} is a directory, but must be a file.`);
  expect(errorText(fault, "en").hint).toMatch(/^Move it away/);
  expect(errorText(fault, "ja").message).toBe(`${directory} はディレクトリですが、ファイルでなければなりません。`);
});

test.each(["EACCES", "EPERM"])("a read that fails with %s says in both languages that it is not permitted", (code) => {
  const error = Object.assign(new Error(`${code}: permission denied, scandir '/a/file'`), { code });
  const fault = readFault(error, "/a/file");
  expect(errorText(fault, "en").message).toBe("/a/file cannot be read: no permission.");
  expect(errorText(fault, "ja").message).toBe("/a/file を読めません：権限がありません");
});

test("a fault that already has its words keeps them", () => {
  const fault = new E8Error("task_empty", {});
  expect(writeFault(fault, "/a/file")).toBe(fault);
  expect(readFault(fault, "/a/file")).toBe(fault);
});

test("the system's own code is found, and absent where there is none", async () => {
  const missing = await open(join(await temporaryDirectory(), "missing")).catch((error) => error);
  expect(errorCode(missing)).toBe("ENOENT");
  expect(errorCode(new Error("plain"))).toBeUndefined();
  expect(errorCode("text")).toBeUndefined();
});

import { E8Error } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const FORBIDDEN = new Set(["EACCES", "EPERM", "EROFS"]);

export function writeFault(error: unknown, path: string): E8Error {
  if (error instanceof E8Error) return error;
  const code = errorCode(error) ?? "";
  if (FULL.has(code)) return new E8Error("disk_full", { path }, { cause: error });
  if (FORBIDDEN.has(code)) return new E8Error("no_permission", { path }, { cause: error });
  if (code === "EISDIR") return new E8Error("file_is_directory", { path }, { cause: error });
  return new E8Error("write_failed", { path, problem: problemOf(error) }, { cause: error });
}

export function readFault(error: unknown, path: string): E8Error {
  if (error instanceof E8Error) return error;
  if (errorCode(error) === "EISDIR") return new E8Error("file_is_directory", { path }, { cause: error });
  return new E8Error("file_unreadable", { path, problem: fileProblem(error) }, { cause: error });
}

export function isDiskFull(error: unknown): boolean {
  return FULL.has(errorCode(error) ?? "");
}

/** The system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a file could not be used. Replaces system texts that are hard to read, such as `EISDIR: illegal operation on a directory, read`. */
export function fileProblem(error: unknown): Statement {
  const code = errorCode(error) ?? "";
  if (code === "EISDIR") return message("is_directory", {});
  return FORBIDDEN.has(code) ? message("no_permission", {}) : problemOf(error);
}

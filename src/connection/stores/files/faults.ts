import { E8Error } from "../../../model/errors.ts";
import type { Statement } from "../../../model/statement.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const FORBIDDEN = new Set(["EACCES", "EPERM", "EROFS"]);

/** What a failed write means to the user. */
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
  return new E8Error("file_unreadable", { path, problem: problemWording(error) }, { cause: error });
}

/** `ENOENT` and its kind, where the error has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const IS_DIRECTORY = { en: "it is a directory", ja: "ディレクトリです" };

const NO_PERMISSION = { en: "no permission", ja: "権限がありません" };

/** In our words where the system's, such as `EISDIR: illegal operation on a directory, read`, would puzzle. */
export function problemWording(error: unknown): Statement {
  const code = errorCode(error) ?? "";
  if (code === "EISDIR") return IS_DIRECTORY;
  return FORBIDDEN.has(code) ? NO_PERMISSION : problemOf(error);
}

import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { message, type Statement } from "../../../model/message.ts";
import { inputOf } from "./tools.ts";

/** The tools of a role that may read files. */
export const READING_TOOLS = ["Read", "Grep", "Glob"];

/**
 * Why a call must not happen where only files below `directory` may be read; undefined where it may. Links are followed first: one
 * that a worker has made may lead anywhere. The records of runs are not readable either.
 */
export function reasonAgainstReading(directory: string, tool: string, input: unknown): Statement | undefined {
  if (!READING_TOOLS.includes(tool)) return message("reading_only", { tool });
  const { file_path, path, pattern, glob } = inputOf(input);
  const paths = [file_path, path].filter((one) => typeof one === "string" && one !== "") as string[];
  const patterns = [...(tool === "Glob" ? [pattern] : []), glob].filter((one) => typeof one === "string") as string[];
  const isOutside = paths.some((one) => !isReadable(directory, one)) || patterns.some(leavesDirectory);
  return isOutside ? message("reading_outside", { tool }) : undefined;
}

function isReadable(directory: string, path: string): boolean {
  const inside = relative(realPath(directory), realPath(resolve(directory, path)));
  return !isAbsolute(inside) && !/^\.\.(\/|$)/.test(inside) && !RECORDS.test(inside);
}

const RECORDS = /(^|\/)\.e8(\/|$)/;

function leavesDirectory(pattern: string): boolean {
  return (
    isAbsolute(pattern) || pattern.startsWith("~") || /(^|[/{,])\.\.(\/|$|[},])/.test(pattern) || RECORDS.test(pattern)
  );
}

/** Of a file that is not there, the path that it would have. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

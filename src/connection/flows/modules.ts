import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { E8Error } from "../../model/errors.ts";
import { message, type Statement } from "../../model/message.ts";
import type { LoadModule } from "../ports/modules.ts";
import { errorCode, problemOf } from "../stores/files/faults.ts";

export const loadModule: LoadModule = async (path) => {
  const loaded = await importFile(path).catch((error: unknown) => {
    throw broken(path, importProblem(error), error);
  });
  if (loaded.default === undefined) throw broken(path, message("default_export_missing", {}));
  return loaded.default;
};

async function importFile(path: string): Promise<{ default?: unknown }> {
  const { mtimeMs } = await stat(path);
  const url = pathToFileURL(path);
  // Node imports a URL once: a file that has changed since needs another URL.
  url.searchParams.set("changed", String(mtimeMs));
  return import(url.href);
}

function importProblem(error: unknown): Statement {
  const [code, problem] = [errorCode(error), problemOf(error)];
  if (code === "ENOENT") return message("file_missing", {});
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && TYPESCRIPT.test(problem)) return message("typescript_unsupported", {});
  return problem;
}

const TYPESCRIPT = /"\.[cm]?tsx?"/;

function broken(path: string, problem: Statement, cause?: unknown): E8Error {
  return new E8Error("module_broken", { path, problem }, { cause });
}

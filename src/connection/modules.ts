import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { E8Error } from "../model/errors.ts";
import type { Statement } from "../model/statement.ts";
import type { LoadModule } from "./ports/modules.ts";

export const loadModule: LoadModule = async (path) => {
  const loaded = await importFile(path).catch((error: unknown) => {
    throw broken(path, problemOf(error), error);
  });
  if (loaded.default === undefined)
    throw broken(path, { en: "it has no default export", ja: "default export がありません" });
  return loaded.default;
};

async function importFile(path: string): Promise<{ default?: unknown }> {
  const { mtimeMs } = await stat(path);
  const url = pathToFileURL(path);
  // Node keeps what it has imported once: a file that was changed since is another module.
  url.searchParams.set("changed", String(mtimeMs));
  return import(url.href);
}

function problemOf(error: unknown): Statement {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (code === "ENOENT") return { en: "it does not exist", ja: "ファイルがありません" };
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && TYPESCRIPT.test(message))
    return {
      en: "this Node.js does not run TypeScript; compile it to .js or .mjs first",
      ja: "この Node.js では TypeScript を実行できません。先に .js か .mjs に変換してください",
    };
  return message;
}

const TYPESCRIPT = /"\.[cm]?tsx?"/;

function broken(path: string, problem: Statement, cause?: unknown): E8Error {
  return new E8Error("module_broken", { path, problem }, { cause });
}

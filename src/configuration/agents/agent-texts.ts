import { isRecord } from "../../model/json.ts";
import { isFault, type JsonFile, readJson } from "./json-file.ts";
import type { Report } from "./report.ts";

/** A JSON file of the agent that holds a group of keys; undefined, and reported, when it cannot be used. */
export function openJson(files: ReadonlyMap<string, string>, name: string, report: Report): JsonFile | undefined {
  const text = files.get(name);
  if (text === undefined) {
    report.add("AGENT_FILE_MISSING", { file: name }, { file: name });
    return undefined;
  }
  return parsedJson(name, text, report);
}

export function parsedJson(name: string, text: string, report: Report): JsonFile | undefined {
  const read = readJson(name, text);
  if (isFault(read)) {
    report.add("AGENT_JSON_BROKEN", { file: name, line: read.line }, { problem: read.problem });
    return undefined;
  }
  report.knows(name, read.lineOf);
  for (const { path, line } of read.duplicates) {
    report.add("AGENT_JSON_DUPLICATE_KEY", { file: name, path, line }, { key: String(path.at(-1)) });
  }
  if (isRecord(read.data)) return read;
  const problem = { en: "The file is not a group of keys", ja: "ファイル全体がキーのまとまりではありません" };
  report.add("AGENT_VALUE_INVALID", { file: name, line: 1 }, { problem, allowed: "{ … }" });
  return undefined;
}

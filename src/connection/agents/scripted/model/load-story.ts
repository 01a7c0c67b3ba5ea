import { closest, distance } from "fastest-levenshtein";
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { E8Error } from "../../../../model/errors.ts";
import { issueWording } from "../../../../model/issue-wording.ts";
import { listed, message, type Statement } from "../../../../model/message.ts";
import { keysIn, Story } from "./story.ts";

type Path = readonly PropertyKey[];
type LineOf = (path: Path) => number;

/** Reads a story from YAML or JSON text. `file` is its name in messages. */
export function loadStory(text: string, file: string): Story {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter: lines });
  const problems = document.errors.map((error) => `yaml: ${error.message.trim()}`);
  if (problems.length > 0) throw broken(file, problems);
  return checkStory(dataIn(document, file), file, (path) => lines.linePos(offsetOf(document, path)).line);
}

/** Takes plain data for a story, or tells everything that is wrong with it at once, by line where it has lines. */
export function checkStory(data: unknown, file: string, lineOf?: LineOf): Story {
  const result = Story.safeParse(data, { reportInput: true });
  if (result.success) return result.data;
  const faults = result.error.issues
    .flatMap(faultsOf)
    .map((fault) => ({ ...fault, line: lineOf?.(fault.path) ?? 0 }))
    .sort((left, right) => left.line - right.line);
  throw broken(
    file,
    faults.map(({ path, problem, line }) => listed([lineOf ? `${file}:${line} ` : "", placed(path), problem], "")),
  );
}

interface Fault {
  path: Path;
  problem: Statement;
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, problem: issueWording(issue) }];
  const known = keysIn(issue.path);
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    problem: message("key_unknown", { nearest: nearest(key, known), known }),
  }));
}

function nearest(key: string, known: readonly string[]): string | undefined {
  const best = closest(key.toLowerCase(), known);
  return distance(key.toLowerCase(), best) <= Math.max(1, Math.floor(best.length / 3)) ? best : undefined;
}

/** Where the key or list entry at a path begins, or else the last part of the path that exists. */
function offsetOf(document: Document.Parsed, path: Path): number {
  const [parent, step] = [document.getIn(path.slice(0, -1), true), path.at(-1)];
  const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === step);
  const node = pair ? pair.key : document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

/** Aliases are resolved only here, so that is where a wrong one shows. */
function dataIn(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw broken(file, [`yaml: ${(error as Error).message}`]);
  }
}

function broken(file: string, problems: readonly Statement[]): E8Error {
  const lines = problems.map((problem) => listed(["  ", problem], ""));
  return new E8Error("story_broken", { file, problems: listed(lines, "\n") });
}

/** The part of the story that a fault is in, with a colon. */
function placed(path: Path): Statement {
  if (path.length === 0) return message("whole_story", {});
  const keys = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return `${keys.join("").replace(/^\./, "")}: `;
}

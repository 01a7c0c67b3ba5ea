import { type Document, parseDocument } from "yaml";
import type { z } from "zod";
import { E8Error } from "../../../../model/errors.ts";
import { issueWording } from "../../../../model/issue-wording.ts";
import { listed, message, type Statement } from "../../../../model/message.ts";
import { Story } from "./story.ts";

/** Reads a story from YAML or JSON text. `file` is its name in messages. */
export function loadStory(text: string, file: string): Story {
  const document = parseDocument(text, { prettyErrors: true });
  const problems = document.errors.map((error) => `yaml: ${error.message.trim()}`);
  if (problems.length > 0) throw broken(file, problems);
  return checkStory(dataIn(document, file), file);
}

/** Takes plain data for a story, or tells everything that is wrong with it at once. */
export function checkStory(data: unknown, file: string): Story {
  const result = Story.safeParse(data, { reportInput: true });
  if (result.success) return result.data;
  throw broken(
    file,
    result.error.issues.map((issue) => listed([place(issue.path), issueWording(issue)], ": ")),
  );
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

function place(path: z.core.$ZodIssue["path"]): Statement {
  if (path.length === 0) return message("whole_story", {});
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

import type { z } from "zod";
import { keyAdvice } from "./key-advice.ts";
import type { YamlFile } from "./read-yaml.ts";
import type { SchemaGuide } from "./schema-guide.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One thing that is wrong with a file: where, and what. */
export interface Problem {
  path: Path;
  text: string;
}

/** Everything that is wrong with a file, in the file's order: `task.yaml:4 max_iterations: 101 is too large: 1 to 100`. */
export function problemLines(file: YamlFile, problems: readonly Problem[]): string[] {
  return problems
    .map((problem) => ({ ...problem, line: file.lineOf(problem.path) }))
    .sort((left, right) => left.line - right.line)
    .map(({ path, text, line }) => `  ${file.name}:${line} ${spelled(path, file.data)}: ${text}`);
}

/** What a schema found, in words. */
export function problemsOf(error: z.ZodError, guide: SchemaGuide): Problem[] {
  return error.issues.flatMap(nearestBranch).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(issue, guide);
    if (isDiscriminator(issue)) return [{ path: issue.path, text: wrongType(issue, guide) }];
    return [{ path: issue.path, text: explain(issue, guide) }];
  });
}

/** Says what is wrong with one value. */
function explain(issue: Issue, guide: SchemaGuide): string {
  const allowed = guide.allowed(issue.path);
  const explained = (text: string) => (allowed ? `${text}: ${allowed}` : text);
  const value = shown(issue.input);
  switch (issue.code) {
    case "too_big":
      return explained(`${value} is too large`);
    case "too_small":
      return issue.origin === "string" ? "is empty" : explained(`${value} is too small`);
    case "invalid_type":
      return explained(wrongKind(issue.input, guide.noun(issue.path)));
    case "invalid_format":
      return `${value} is not a ${issue.format.toUpperCase()}`;
    case "custom":
      return issue.message;
    case "invalid_key":
      return "has an empty name";
    default:
      return explained(`${value} is not possible`);
  }
}

function wrongKind(value: unknown, noun: string): string {
  if (value === undefined) return "is missing";
  if (value === null) return "has no value";
  const quoted = noun === "text" && typeof value !== "object" ? `; write "${String(value)}" in quotes` : "";
  return `${shown(value)} is not ${noun}${quoted}`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a group of keys" : String(value);
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, guide: SchemaGuide): Problem[] {
  return issue.keys.map((key) => ({ path: [...issue.path, key], text: keyAdvice(key, issue.path, guide) }));
}

function isDiscriminator(issue: Issue): issue is z.core.$ZodIssueInvalidUnion & { discriminator: string } {
  return issue.code === "invalid_union" && typeof issue.discriminator === "string";
}

function wrongType(issue: z.core.$ZodIssueInvalidUnion & { discriminator: string }, guide: SchemaGuide): string {
  const value = (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
  const said = value === undefined ? "is missing" : `${shown(value)} is not possible`;
  return `${said}: ${guide.allowed(issue.path.slice(0, -1))}`;
}

/**
 * A union reports every alternative. Only the one that the user seems to have meant is worth reading: the one whose
 * outer shape fits, and of several the one with the least to mend.
 */
function nearestBranch(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const fitting = issue.errors
    .map((branch) => branch.flatMap(nearestBranch))
    .filter((branch) => branch.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys"))
    .sort((left, right) => left.length - right.length);
  return fitting[0]?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

/** The path as the user would write it. A part that the schema added to a plain text is not shown. */
function spelled(path: Path, data: unknown): string {
  let text = "";
  let here = data;
  for (const step of path) {
    if (typeof here !== "object" || here === null) break;
    text += typeof step === "number" ? `[${step}]` : `${text && "."}${String(step)}`;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return text;
}

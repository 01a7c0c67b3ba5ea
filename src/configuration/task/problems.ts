import type { z } from "zod";
import { ProjectFile, TaskFile } from "../../model/configuration.ts";
import { message, type Statement } from "../../model/message.ts";
import type { ValueForm } from "../../model/messages/configuration.ts";
import { nearest } from "../nearest.ts";
import { lastPart, notOfKind, type SchemaGuide } from "../schema-guide.ts";
import type { YamlFile } from "./read-yaml.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One thing that is wrong with a file: where, and what. */
export interface Problem {
  path: Path;
  text: Statement;
}

/** Everything that is wrong with a file, in the file's order: `task.yaml:4 max_iterations: 1001 is too large: 1 to 1000`. */
export function problemLines(file: YamlFile, problems: readonly Problem[]): Statement[] {
  return problems
    .map((problem) => ({ ...problem, line: file.lineOf(problem.path) }))
    .sort((left, right) => left.line - right.line)
    .map(({ path, text, line }) =>
      message("setting_problem", { file: file.name, line, path: spelled(path, file.data), problem: text }),
    );
}

/** The issues that a schema found, as problems of the file. */
export function problemsOf(error: z.ZodError, guide: SchemaGuide): Problem[] {
  return error.issues.flatMap(nearestBranch).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(issue, guide);
    if (isDiscriminator(issue)) return [{ path: issue.path, text: wrongType(issue, guide) }];
    return [{ path: issue.path, text: explain(issue, guide) }];
  });
}

/** Says what is wrong with one value. */
function explain(issue: Issue, guide: SchemaGuide): Statement {
  const value = shownValue(issue.input);
  const allowed = guide.allowed(issue.path);
  switch (issue.code) {
    case "too_big":
      return explained(message("value_too_large", { value }), allowed);
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? message("value_empty", {})
        : explained(message("value_too_small", { value }), allowed);
    case "invalid_type":
      return explained(wrongKind(issue.input, guide, issue.path), allowed);
    case "invalid_format":
      return message("value_not_format", { value, format: issue.format.toUpperCase() });
    case "custom":
      return message("value_form", { form: issue.message as ValueForm }); // our schemas name a form there
    case "invalid_key":
      return message("name_empty", {});
    default:
      return explained(message("value_impossible", { value }), allowed);
  }
}

function explained(problem: Statement, allowed: Statement | undefined): Statement {
  return allowed === undefined ? problem : message("value_explained", { problem, allowed });
}

function wrongKind(value: unknown, guide: SchemaGuide, path: Path): Statement {
  if (value === undefined) return message("value_missing", {});
  if (value === null) return message("value_null", {});
  const kind = guide.kind(path);
  const problem = notOfKind(shownValue(value), kind);
  if (kind !== "string" || typeof value === "object") return problem;
  return message("value_needs_quotes", { problem, value: String(value) });
}

function shownValue(value: unknown): Statement {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === undefined || value === null) return message("nothing", {});
  if (typeof value !== "object") return String(value);
  return message("value_kind", { kind: Array.isArray(value) ? "array" : "object" });
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, guide: SchemaGuide): Problem[] {
  return issue.keys.map((key) => ({ path: [...issue.path, key], text: keyAdvice(key, issue.path, guide) }));
}

function isDiscriminator(issue: Issue): issue is z.core.$ZodIssueInvalidUnion & { discriminator: string } {
  return issue.code === "invalid_union" && typeof issue.discriminator === "string";
}

function wrongType(issue: z.core.$ZodIssueInvalidUnion & { discriminator: string }, guide: SchemaGuide): Statement {
  const value = (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
  const problem =
    value === undefined ? message("value_missing", {}) : message("value_impossible", { value: shownValue(value) });
  return explained(problem, guide.allowed(issue.path.slice(0, -1)));
}

/**
 * A union reports every alternative. Only the one that the user seems to have meant is worth reading: the one whose
 * outer shape fits, and of several the one with the fewest problems.
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

/** Advice about a key that is unknown at its place. */
function keyAdvice(key: string, group: Path, guide: SchemaGuide): Statement {
  const near = nearest(key, guide.keys(group));
  const home = guide.homes(key)[0];
  if (home !== undefined) return message("key_elsewhere", { home, nearest: near });
  if (group.length === 0 && Object.hasOwn(TaskFile.shape, key)) return message("key_of_task_file", {});
  if (group.length === 0 && Object.hasOwn(ProjectFile.shape, key)) return message("key_of_project_file", {});
  return message("key_unknown", { nearest: near ?? nearestPath(key, guide), known: guide.keys(group) });
}

function nearestPath(key: string, guide: SchemaGuide): string | undefined {
  const near = nearest(key, guide.paths.map(lastPart));
  return near && guide.paths.find((path) => lastPart(path) === near);
}

import type { z } from "zod";
import { ProjectFile, TaskFile } from "../../model/configuration.ts";
import { type Statement, worded } from "../../model/statement.ts";
import { nearest } from "../nearest.ts";
import { lastPart, type SchemaGuide } from "../schema-guide.ts";
import { translated } from "../translations.ts";
import { EMPTY, MISSING, notKind, notPossible, shownValue, tooLarge, tooSmall } from "../value-words.ts";
import type { YamlFile } from "./read-yaml.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One thing that is wrong with a file: where, and what. */
export interface Problem {
  path: Path;
  text: Statement;
}

/** Everything that is wrong with a file, in the file's order: `task.yaml:4 max_iterations: 101 is too large: 1 to 100`. */
export function problemLines(file: YamlFile, problems: readonly Problem[]): Statement[] {
  return problems
    .map((problem) => ({ ...problem, line: file.lineOf(problem.path) }))
    .sort((left, right) => left.line - right.line)
    .map(({ path, text, line }) => worded((say) => `  ${file.name}:${line} ${spelled(path, file.data)}: ${say(text)}`));
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
function explain(issue: Issue, guide: SchemaGuide): Statement {
  const value = shownValue(issue.input);
  const allowed = guide.allowed(issue.path);
  switch (issue.code) {
    case "too_big":
      return explained(tooLarge(value), allowed);
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? EMPTY : explained(tooSmall(value), allowed);
    case "invalid_type":
      return explained(wrongKind(issue.input, guide, issue.path), allowed);
    case "invalid_format": {
      const format = issue.format.toUpperCase();
      return worded(
        (say) => `${say(value)} is not a ${format}`,
        (say) => `${say(value)} は ${format} ではありません`,
      );
    }
    case "custom":
      return translated(issue.message);
    case "invalid_key":
      return { en: "has an empty name", ja: "名前が空です" };
    default:
      return explained(notPossible(value), allowed);
  }
}

function explained(text: Statement, allowed: Statement): Statement {
  if (allowed === "") return text;
  return worded(
    (say) => `${say(text)}: ${say(allowed)}`,
    (say) => `${say(text)}（${say(allowed)}）`,
  );
}

function wrongKind(value: unknown, guide: SchemaGuide, path: Path): Statement {
  if (value === undefined) return MISSING;
  if (value === null) return { en: "has no value", ja: "値がありません" };
  const kind = guide.kind(path);
  const said = notKind(shownValue(value), kind);
  if (kind !== "string" || typeof value === "object") return said;
  return worded(
    (say) => `${say(said)}; write "${String(value)}" in quotes`,
    (say) => `${say(said)}。"${String(value)}" のように引用符で囲んでください`,
  );
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, guide: SchemaGuide): Problem[] {
  return issue.keys.map((key) => ({ path: [...issue.path, key], text: keyAdvice(key, issue.path, guide) }));
}

function isDiscriminator(issue: Issue): issue is z.core.$ZodIssueInvalidUnion & { discriminator: string } {
  return issue.code === "invalid_union" && typeof issue.discriminator === "string";
}

function wrongType(issue: z.core.$ZodIssueInvalidUnion & { discriminator: string }, guide: SchemaGuide): Statement {
  const value = (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
  const said = value === undefined ? MISSING : notPossible(shownValue(value));
  return explained(said, guide.allowed(issue.path.slice(0, -1)));
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

/** What to do about a key that is not known where it stands. */
export function keyAdvice(key: string, group: readonly PropertyKey[], guide: SchemaGuide): Statement {
  const near = nearest(key, guide.keys(group));
  const home = guide.homes(key)[0];
  if (home !== undefined) return elsewhere(home, near);
  if (group.length === 0 && Object.hasOwn(TaskFile.shape, key))
    return { en: "belongs in task.yaml, not among the defaults", ja: "既定値ではなく task.yaml に書くキーです" };
  if (group.length === 0 && Object.hasOwn(ProjectFile.shape, key))
    return { en: "belongs in endless8.yaml", ja: "endless8.yaml に書くキーです" };
  return unknown(near ?? nearestPath(key, guide), guide.keys(group).join(", "));
}

function elsewhere(home: string, near: string | undefined): Statement {
  return worded(
    () =>
      `unknown key here: it belongs ${home ? `under ${home}` : "to the top level"}${near ? `, or did you mean ${near}?` : ""}`,
    () =>
      `ここにはないキーです。${home ? `${home} の下` : "最上位"}に書いてください${near ? `（または ${near} の間違い）` : ""}`,
  );
}

function unknown(meant: string | undefined, known: string): Statement {
  return meant
    ? { en: `unknown key: did you mean ${meant}?`, ja: `知らないキーです。${meant} ではありませんか` }
    : { en: `unknown key: known here are ${known}`, ja: `知らないキーです。ここに書けるのは ${known}` };
}

function nearestPath(key: string, guide: SchemaGuide): string | undefined {
  const near = nearest(key, guide.paths.map(lastPart));
  return near && guide.paths.find((path) => lastPart(path) === near);
}

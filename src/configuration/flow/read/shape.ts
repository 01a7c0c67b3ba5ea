import type { z } from "zod";
import { message, type Statement } from "../../../model/message.ts";
import { nearest } from "../../nearest.ts";
import { notOfKind, type SchemaGuide, schemaGuide } from "../../schema-guide.ts";
import type { Place, Report } from "../report.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** More than any file needs: each round fills in one level of missing values. */
const ROUNDS = 20;

interface Shape<T extends z.ZodType> {
  schema: T;
  report: Report;
  /** The file and path of a value, because several files may make up the data. */
  place: (path: Path) => Place;
}

/**
 * Reads data by a schema and reports values that do not fit. Such a value is replaced by a harmless guess, about which
 * nothing more is reported, so that every later check can run and one report has all problems.
 */
export function readShape<T extends z.ZodType>(
  data: unknown,
  { schema, report, place }: Shape<T>,
): z.infer<T> | undefined {
  const guide = guideTo(schema);
  const mended: unknown = structuredClone(data);
  const guesses = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = schema.safeParse(mended, { reportInput: true });
    if (read.success) return read.data;
    for (const issue of read.error.issues) {
      if (guesses.size === 0 || !isGuess(issue.path, guesses)) explain(issue, guide, report, place);
    }
    for (const issue of read.error.issues) mend(mended, issue, guide, guesses);
    for (const guess of guesses.keys()) {
      const { file, path = [] } = place(JSON.parse(guess));
      report.distrust(file, path);
    }
  }
  return undefined;
}

/** Builds each schema once, because its guide is kept with it. */
export function oncePerAccess<T>(make: (access: readonly string[]) => T): (access: readonly string[]) => T {
  const made = new Map<string, T>();
  return (access) => {
    const key = access.join(" ");
    const schema = made.get(key) ?? make(access);
    made.set(key, schema);
    return schema;
  };
}

const guides = new WeakMap<z.ZodType, SchemaGuide>();

function guideTo(schema: z.ZodType): SchemaGuide {
  const guide = guides.get(schema) ?? schemaGuide(schema);
  guides.set(schema, guide);
  return guide;
}

function explain(issue: Issue, guide: SchemaGuide, report: Report, place: (path: Path) => Place): void {
  if (issue.code === "unrecognized_keys") {
    const known = guide.keys(issue.path);
    for (const key of issue.keys) {
      const details = { key, known, nearest: nearest(key, known) ?? homeOf(key, guide) };
      report.add("AGENT_UNKNOWN_KEY", place([...issue.path, key]), details);
    }
    return;
  }
  const allowed = guide.allowed(issue.path);
  if (issue.code === "invalid_type" && issue.input === undefined) {
    const key = String(issue.path.at(-1) ?? "");
    const kind = guide.kind(issue.path);
    const needed = allowed ?? (kind === "any" ? undefined : message("value_kind", { kind }));
    report.add("AGENT_KEY_MISSING", place(issue.path), { key, needed });
    return;
  }
  report.add("AGENT_VALUE_INVALID", place(issue.path), { problem: problemOf(issue, guide), allowed });
}

function homeOf(key: string, guide: SchemaGuide): string | undefined {
  const home = guide.homes(key)[0];
  return home === undefined ? undefined : `${home}${home && "."}${key}`;
}

function problemOf(issue: Issue, guide: SchemaGuide): Statement {
  const value = shown(issue.input);
  switch (issue.code) {
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? message("it_is_empty", {})
        : message("value_too_small", { value });
    case "too_big":
      return message("value_too_large", { value });
    case "invalid_type":
      return notOfKind(value, guide.kind(issue.path));
    case "invalid_format": {
      const pattern = "pattern" in issue ? String(issue.pattern) : issue.format;
      return message("value_not_matching", { value, pattern });
    }
    default:
      return message("value_impossible", { value });
  }
}

function shown(value: unknown): Statement {
  const text = JSON.stringify(value);
  if (text === undefined) return message("nothing", {});
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Texts that fit the patterns of versions, names and flags, in the order in which they are tried. */
const TEXTS = ["?", "0.0.0", "unknown", "--unknown"];

function mend(root: unknown, issue: Issue, guide: SchemaGuide, guesses: Map<string, number>): void {
  const parent = at(root, issue.path.slice(0, -1));
  if (issue.code === "unrecognized_keys") {
    const group = at(root, issue.path);
    for (const key of issue.keys) if (hasMembers(group)) delete group[key];
    return;
  }
  const key = issue.path.at(-1);
  if (!hasMembers(parent) || key === undefined) return;
  const name = JSON.stringify(issue.path);
  const tries = guesses.get(name) ?? 0;
  guesses.set(name, tries + 1);
  parent[key] = guessOf(issue.path, guide, tries);
}

function guessOf(path: Path, guide: SchemaGuide, tries: number): unknown {
  const [choice] = guide.choices(path);
  switch (guide.kind(path)) {
    case "object":
      return {};
    case "array":
      return tries === 0 ? [] : ["?"];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "string":
      return choice ?? TEXTS[tries % TEXTS.length];
    case "any":
      return undefined;
  }
}

function at(root: unknown, path: Path): unknown {
  let node = root;
  for (const step of path) node = hasMembers(node) ? node[step] : undefined;
  return node;
}

function isGuess(path: Path, guesses: ReadonlyMap<string, number>): boolean {
  return path.some((_, index) => guesses.has(JSON.stringify(path.slice(0, index + 1))));
}

function hasMembers(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

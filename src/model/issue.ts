/** Issues and pull requests as every tracker has them. */

/** What decides when and where an issue is worked on. */
export interface IssueFields {
  /** A word of the project's own: `high`, `P1`. */
  priority?: string | undefined;
  /** Numbers of issues that must be closed first. */
  blocked_by: number[];
  /** The branch that the work starts from. */
  base?: string | undefined;
}

export interface TrackedItem extends IssueFields {
  kind: "issue" | "pr";
  number: number;
  /** OPEN, CLOSED or MERGED. */
  state: string;
  labels: string[];
  title: string;
  body: string;
  /** ISO 8601. */
  created_at: string;
  /** A web page, or a file's path. */
  url: string;
  author?: string | undefined;
}

export interface IssueDraft extends IssueFields {
  title: string;
  body: string;
  labels: readonly string[];
}

export interface IssueComment {
  author?: string | undefined;
  created_at: string;
  body: string;
}

export interface PullRequest extends TrackedItem {
  kind: "pr";
  /** The branch with the work. */
  head: string;
  /** The branch that it is to be merged into. */
  base: string;
  draft: boolean;
}

export interface IssueLabel {
  name: string;
  /** Six hexadecimal digits. */
  color?: string;
  description?: string;
}

export interface Release {
  tag: string;
  title: string;
  body: string;
  url: string;
}

/** The fields as lines of a body, for a tracker that has no place of its own for them. */
export function fieldLines({ priority, blocked_by, base }: IssueFields): string[] {
  return [
    ...(blocked_by.length > 0 ? [`Blocked by ${blocked_by.map((number) => `#${number}`).join(", ")}`] : []),
    ...(priority ? [`Priority: ${priority}`] : []),
    ...(base ? [`Base: ${base}`] : []),
  ];
}

const FIELD = /^(?:priority: (?<priority>\S.*)|base: (?<base>\S+)|blocked by:? (?<numbers>#\d+(?:, #\d+)*))$/i;

/** Reads what `fieldLines` has written: the last paragraph of a body, if all of its lines are fields. */
export function fieldsAtEnd(body: string): { fields: IssueFields; rest: string } {
  const text = body.replace(/\r\n?/g, "\n").trimEnd();
  const start = text.lastIndexOf("\n\n");
  const lines = text.slice(start < 0 ? 0 : start + 2).split("\n");
  const found = lines.map((line) => FIELD.exec(line.trimEnd())?.groups);
  if (!found.every((groups) => groups !== undefined)) return { fields: { blocked_by: [] }, rest: body };
  const { priority, base } = Object.assign({}, ...found.map(defined)) as IssueFields;
  const blocked_by = found.flatMap(({ numbers = "" }) => issueNumbers(numbers));
  return { fields: { blocked_by, ...defined({ priority, base }) }, rest: text.slice(0, Math.max(0, start)) };
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(entries);
}

/** The numbers in `#3, #4`. */
export function issueNumbers(text: string): number[] {
  return [...text.matchAll(/#(\d+)/g)].map(([, digits]) => Number(digits)).filter((number) => number > 0);
}

/** Labels that give the same key are the same label: GitHub ignores case. */
export function sameLabel(label: string): string {
  return label.toLowerCase();
}

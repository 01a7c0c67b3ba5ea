import type { ShownIssue } from "../../compose/issues.ts";
import { type Criterion, criterionText } from "../../model/criterion.ts";
import type { TrackedItem } from "../../model/issue.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { localTime } from "./amounts.ts";
import { indented } from "./lines.ts";

export function stateText({ state }: TrackedItem, { issues }: Texts): string {
  return issues.state[state as keyof typeof issues.state] ?? state;
}

/** An issue for people: what it says, what a run would be told, what was said about it. */
export function issueLines({ issue, work, comments }: ShownIssue, { texts, output: { paint } }: CliContext): string[] {
  const { issues, labeled, separator } = texts;
  const { number, title, url, created_at, author, labels } = issue;
  const blocked_by = work.blocked_by.map((one) => `#${one}`);
  const facts: [string, string][] = [
    [issues.created, author === undefined ? localTime(created_at) : issues.by(localTime(created_at), author)],
    [issues.labels, labels.join(separator)],
    [issues.priority, work.priority ?? ""],
    [issues.blockedBy, blocked_by.join(separator)],
    [issues.base, work.base ?? ""],
  ];
  return [
    `${paint("bold", `#${number} ${title}`)} (${stateText(issue, texts)})`,
    url,
    ...facts.filter(([, value]) => value !== "").map(([label, value]) => labeled(label, value)),
    "",
    labeled(issues.task),
    ...indented(work.task, "  "),
    "",
    labeled(issues.criteria),
    ...(work.criteria.length > 0
      ? work.criteria.flatMap((one) => criterionLines(one, texts))
      : [`  ${issues.noCriteria}`]),
    ...commentLines(comments, texts),
  ];
}

function criterionLines(criterion: Criterion, { check }: Texts): string[] {
  const text = criterion.type === "command" ? check.passes(criterion.command) : criterionText(criterion);
  const [first = "", ...rest] = text.split("\n");
  return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
}

function commentLines(comments: ShownIssue["comments"], { issues, labeled }: Texts): string[] {
  if (comments.length === 0) return [];
  const said = comments.flatMap(({ created_at, author, body }) => [
    `  ${author === undefined ? localTime(created_at) : issues.by(localTime(created_at), author)}`,
    ...indented(body, "    "),
  ]);
  return ["", labeled(issues.comments(comments.length)), ...said];
}

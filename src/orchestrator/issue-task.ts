import type { Criterion } from "../model/criterion.ts";
import { fieldsAtEnd, type IssueFields, issueNumbers, type TrackedItem } from "../model/issue.ts";
import { type IssueLine, issueLines } from "./issue-lines.ts";

/** An issue as work. Every text in it is quoted from the issue, which anybody may have written. */
export interface IssueTask extends IssueFields {
  /** Title and body, without what is read as criteria, checks or fields. */
  task: string;
  /** In the order of the issue. */
  criteria: Criterion[];
}

/** Reads an issue. Never throws: a text without criteria gives a task without criteria. */
export function issueTask(item: Pick<TrackedItem, "title" | "body" | "labels"> & IssueFields): IssueTask {
  const { fields, rest } = fieldsAtEnd(item.body);
  const reading = new Reading();
  for (const line of issueLines(rest)) reading.add(line);
  const { words, criteria, blocked_by } = reading.result();
  return {
    task: [item.title.trim(), words].filter(Boolean).join("\n\n"),
    criteria,
    blocked_by: [...new Set([...item.blocked_by, ...fields.blocked_by, ...blocked_by])],
    priority: item.priority ?? fields.priority ?? priorityLabel(item.labels),
    base: item.base ?? fields.base,
  };
}

const CRITERIA = /^(?:acceptance criteria|完了条件)\s*[:：]?$/i;
const ITEM = /^(?<indent> {0,3})(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?<text>\S.*)$/;
const BLOCKED = /\bblocked by:?\s+(?<numbers>#\d+(?:\s*(?:,|and|,\s*and|と|、)\s*#\d+)*)/gi;

/** Goes through the lines once and keeps what they are. */
class Reading {
  readonly #words: string[] = [];
  readonly #criteria: Criterion[] = [];
  readonly #blocked_by: number[] = [];
  /** The level of the heading "Acceptance criteria" above. */
  #section: number | undefined;
  /** The item that the next line may go on with, and whether an empty line follows it. */
  #item: { lines: string[]; is_left: boolean } | undefined;

  add(line: IssueLine): void {
    if (line.type === "fence") this.#fence(line);
    if (line.type === "heading") this.#heading(line);
    if (line.type === "text") this.#text(line.text);
  }

  #text(text: string): void {
    if (CRITERIA.test(unmarked(text))) {
      this.#open(LOWEST_HEADING);
      return;
    }
    if (this.#section !== undefined && this.#isOfList(text)) return;
    for (const { groups } of text.matchAll(BLOCKED)) this.#blocked_by.push(...issueNumbers(groups?.numbers ?? ""));
    this.#words.push(text);
  }

  result(): { words: string; criteria: Criterion[]; blocked_by: number[] } {
    this.#endItem();
    const words = this.#words.join("\n").replace(/\n{3,}/g, "\n\n");
    return { words: words.trim(), criteria: this.#criteria, blocked_by: this.#blocked_by };
  }

  #fence({ info, content, source }: Extract<IssueLine, { type: "fence" }>): void {
    this.#endItem();
    const command = content.trim();
    const isCheck = info.split(/\s+/).includes("check") && command !== "";
    if (isCheck) this.#criteria.push({ type: "command", command });
    else this.#words.push(source);
  }

  #heading({ text, level }: Extract<IssueLine, { type: "heading" }>): void {
    this.#endItem();
    if (CRITERIA.test(unmarked(text))) {
      this.#open(level);
      return;
    }
    if (this.#section !== undefined && level <= this.#section) this.#section = undefined;
    this.#words.push(`${"#".repeat(level)} ${text}`.trimEnd());
  }

  #open(level: number): void {
    this.#endItem();
    this.#section = level;
  }

  /** Whether a line belongs to the list of criteria: an item, a line of the item above it, or an empty one. */
  #isOfList(line: string): boolean {
    const text = ITEM.exec(line)?.groups?.text;
    if (text !== undefined) {
      this.#endItem();
      this.#item = { lines: [text], is_left: false };
      return true;
    }
    const isEmpty = line.trim() === "";
    if (this.#item && isEmpty) this.#item.is_left = true;
    if (isEmpty) return true;
    const isOfItem = this.#item && (!this.#item.is_left || /^\s{2}/.test(line));
    if (isOfItem) this.#item?.lines.push(line);
    else this.#endItem();
    return isOfItem ?? false;
  }

  #endItem(): void {
    const text = oneLine(this.#item?.lines.join(" ") ?? "");
    if (text !== "") this.#criteria.push({ type: "semantic", text });
    this.#item = undefined;
  }
}

/** A title that is not a heading ends with the next heading, whatever its level. */
const LOWEST_HEADING = 6;

/** The words of a line in bold. */
function unmarked(text: string): string {
  return /^\s*(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:：]?\s*$/.exec(text)?.[1]?.trim() ?? text.trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `priority: high`, `priority/high`, `P1`. */
function priorityLabel(labels: readonly string[]): string | undefined {
  const found = labels.map(
    (label) => /^(?:priority\s*[:/]\s*(?<word>\S.*)|(?<level>p\d))$/i.exec(label.trim())?.groups,
  );
  const groups = found.find((one) => one !== undefined);
  return groups?.word ?? groups?.level;
}

/** The body that `issueTask` reads as these criteria and checks, whatever the text before them is. A criterion is one line. */
export function issueBody(
  text: string,
  { criteria, checks }: { criteria: readonly string[]; checks: readonly string[] },
): string {
  const items = criteria.map((criterion) => `- [ ] ${oneLine(criterion)}`);
  const section = items.length > 0 ? `## Acceptance criteria\n\n${items.join("\n")}` : "";
  return [closed(text.trimEnd()), section, ...checks.map(fenced)].filter(Boolean).join("\n\n");
}

/** A fence longer than any in the command. */
function fenced(command: string): string {
  const longest = Math.max(2, ...[...command.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}check\n${command.trim()}\n${fence}`;
}

/** Ends a fence or a comment that would swallow everything after the text. */
function closed(text: string): string {
  const last = issueLines(text).at(-1);
  if (last?.type === "comment" && !last.is_closed) return `${text}\n-->`;
  if (last?.type !== "fence" || last.is_closed) return text;
  const [fence = ""] = /(`{3,}|~{3,})/.exec(last.source) ?? [];
  return `${text}\n${fence}`;
}

import { relative, resolve } from "node:path";
import type { ChangedFile } from "../../model/changes.ts";
import type { LoopResult } from "../../model/records.ts";
import { asTyped } from "../../model/shell-quotes.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { table } from "./columns.ts";
import { oneLine, printable } from "./lines.ts";

/** Where paths are read. */
export interface Place {
  /** The directory that they are relative to. */
  project: string;
  /** The reader's current directory. */
  from: string;
}

export interface ChangeStyle extends Place {
  texts: Texts;
  /** The most files to list. */
  files?: number;
}

const FILES_SHOWN = 10;
const CLAIMS_SHOWN = 5;

/** What has really changed, then what only the worker says. */
export function changeLines(result: LoopResult, style: ChangeStyle): string[] {
  const { changed_files: files, change_totals: totals } = result;
  const { changes } = style.texts;
  const shown = files.slice(0, style.files ?? FILES_SHOWN);
  const isKnown = shown.some(({ status }) => status !== null);
  const row = (file: ChangedFile) => [
    ...(isKnown ? [file.status ? changes.status[file.status] : ""] : []),
    pathFrom(style, file.path),
    linesOf(file),
  ];
  return [
    ...(totals ? [totals.files === 0 ? changes.none : changes.title(totals.files, linesOf(totals))] : []),
    ...table(shown.map(row)).map((line) => `  ${line}`.trimEnd()),
    ...more((totals?.files ?? 0) - shown.length, style),
    ...claimLines(result, style),
  ];
}

/** `+12 −4`; empty where nothing was counted. */
function linesOf({ added, removed }: Pick<ChangedFile, "added" | "removed">): string {
  return [added ? `+${added}` : "", removed ? `−${removed}` : ""].filter(Boolean).join(" ");
}

function more(count: number, { texts }: ChangeStyle): string[] {
  return count > 0 ? [`  ${texts.changes.more(count)}`] : [];
}

/** The worker's list is its claim. Where changes are known, only the rest of it is worth telling. */
function claimLines({ artifacts, changed_files, change_totals }: LoopResult, style: ChangeStyle): string[] {
  const { changes } = style.texts;
  const [output, claimed] = [artifacts.findLast(isOutput), artifacts.filter((path) => !isOutput(path))];
  const known = new Set(changed_files.map(({ path }) => resolve(style.project, path)));
  const unseen = change_totals ? claimed.filter((path) => !known.has(resolve(style.project, path))) : claimed;
  const isAllListed = changed_files.length >= (change_totals?.files ?? 0);
  const title = change_totals ? changes.unseen : changes.claimed;
  return [
    ...(unseen.length > 0 && isAllListed
      ? [style.texts.labeled(title), ...unseen.slice(0, CLAIMS_SHOWN).map((path) => `  ${oneLine(path, 160)}`)]
      : []),
    ...(isAllListed ? more(unseen.length - CLAIMS_SHOWN, style) : []),
    ...(output ? [style.texts.labeled(changes.output, pathFrom(style, output))] : []),
  ];
}

/** The file in which we keep the worker's last text. */
function isOutput(path: string): boolean {
  return /(^|\/)\.e8\/tasks\/[^/]+\/output\.md$/.test(path);
}

/** A path that can be pasted into a shell where the reader is. A place in a database is no path. */
export function pathFrom({ project, from }: Place, path: string): string {
  if (/^\w+:\/\//.test(path)) return printable(path);
  const whole = resolve(project, path);
  const near = relative(from, whole);
  const shorter = near.length <= whole.length ? near || "." : whole;
  return asTyped(printable(shorter).replaceAll(/[\n\t]/g, " "));
}

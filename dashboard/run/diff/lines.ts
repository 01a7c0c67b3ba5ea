import parseDiff from "parse-diff";

export interface DiffFile {
  path: string;
  status: "added" | "deleted" | "modified" | "renamed";
  added: number;
  removed: number;
  hunks: Hunk[];
}

export interface Hunk {
  title: string;
  changes: Change[];
}

export interface Change {
  type: "add" | "del" | "normal";
  before?: number;
  after?: number;
  text: string;
}

/** A line of the list on the screen. */
export type Line =
  | { kind: "file"; file: DiffFile }
  | { kind: "hunk"; file: DiffFile; hunk: Hunk }
  | { kind: "change"; file: DiffFile; hunk: Hunk; at: number }
  | { kind: "empty"; file: DiffFile };

/** Git's patch as files. What cannot be read of it is left out: it may be cut anywhere. */
export function filesOf(patch: string): DiffFile[] {
  return parsed(patch).map((file) => {
    const from = file.from === "/dev/null" ? undefined : file.from;
    const to = file.to === "/dev/null" ? undefined : file.to;
    return {
      path: unquoted(to ?? from ?? ""),
      status: statusOf(file, from, to),
      added: file.additions,
      removed: file.deletions,
      hunks: file.chunks.map(({ content, changes }) => ({
        title: content,
        changes: changes.filter(isOfFile).map(changeOf),
      })),
    };
  });
}

function parsed(patch: string): parseDiff.File[] {
  try {
    return parseDiff(patch);
  } catch {
    return [];
  }
}

function statusOf(file: parseDiff.File, from: string | undefined, to: string | undefined): DiffFile["status"] {
  if (file.new) return "added";
  if (file.deleted) return "deleted";
  return from !== undefined && to !== undefined && from !== to ? "renamed" : "modified";
}

const isOfFile = ({ content }: parseDiff.Change) => !content.startsWith("\\");

function changeOf(change: parseDiff.Change): Change {
  const text = change.content.slice(1);
  switch (change.type) {
    case "add":
      return { type: "add", after: change.ln, text };
    case "del":
      return { type: "del", before: change.ln, text };
    default:
      return { type: "normal", before: change.ln1, after: change.ln2, text };
  }
}

/** Git writes the bytes of a name that is not plain ASCII in octal. */
function unquoted(path: string): string {
  if (!/\\\d{3}/.test(path)) return path;
  const bytes = path.replaceAll(/\\(\d{3})|([^\\])/g, (_, octal?: string, plain = "") =>
    octal ? `%${Number.parseInt(octal, 8).toString(16).padStart(2, "0")}` : encodeURIComponent(plain),
  );
  try {
    return decodeURIComponent(bytes);
  } catch {
    return path;
  }
}

export function linesOf(files: readonly DiffFile[], folded: ReadonlySet<string>): Line[] {
  return files.flatMap((file): Line[] => {
    const head: Line = { kind: "file", file };
    if (folded.has(file.path)) return [head];
    if (file.hunks.length === 0) return [head, { kind: "empty", file }];
    return [head, ...file.hunks.flatMap((hunk) => hunkLines(file, hunk))];
  });
}

function hunkLines(file: DiffFile, hunk: Hunk): Line[] {
  return [{ kind: "hunk", file, hunk }, ...hunk.changes.map((_, at): Line => ({ kind: "change", file, hunk, at }))];
}

/** The place of a file's line as it is after the changes; of one that the diff does not show, of the nearest before it. */
export function placeOf(lines: readonly Line[], path: string, wanted: number): number {
  let nearest = lines.findIndex(({ kind, file }) => kind === "file" && file.path === path);
  lines.forEach((line, index) => {
    if (line.kind !== "change" || line.file.path !== path) return;
    const { after } = line.hunk.changes[line.at] ?? {};
    if (after !== undefined && after <= wanted) nearest = index;
  });
  return nearest;
}

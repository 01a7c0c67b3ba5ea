/** A line of a file's diff, with its number before and after the change. */
export interface DiffLine {
  kind: "added" | "removed" | "kept";
  before: number | null;
  after: number | null;
  text: string;
}

/** The diff of one file. */
export interface FileDiff {
  /** What git says about the whole file: that it is new, deleted or binary, or that its mode has changed. */
  about: string[];
  lines: DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const ABOUT = /^((new|deleted) file mode|(old|new) mode|Binary files) /;

/** Counts lines before and after the change: which comes next, and how many a hunk still has. */
interface Place {
  next: { before: number; after: number };
  left: { before: number; after: number };
}

/** Reads a unified diff of one file. The counts of each hunk decide which lines belong to it, whatever those lines look like. */
export function readDiff(diff: string): FileDiff {
  const found: FileDiff = { about: [], lines: [] };
  let place: Place | undefined;
  for (const line of diff.split("\n")) {
    if (place && (place.left.before > 0 || place.left.after > 0)) found.lines.push(...lineAt(place, line));
    else {
      place = placeIn(line);
      if (!place && ABOUT.test(line)) found.about.push(line);
    }
  }
  return found;
}

function placeIn(line: string): Place | undefined {
  const hunk = HUNK.exec(line);
  if (!hunk) return undefined;
  const [, before, oldCount = "1", after, newCount = "1"] = hunk;
  return {
    next: { before: Number(before), after: Number(after) },
    left: { before: Number(oldCount), after: Number(newCount) },
  };
}

/** Moves the place on. Nothing for `\ No newline at end of file`. */
function lineAt({ next, left }: Place, line: string): DiffLine[] {
  const kind = KINDS[line.charAt(0)];
  if (!kind) return [];
  const before = kind === "added" ? null : next.before++;
  const after = kind === "removed" ? null : next.after++;
  if (before !== null) left.before -= 1;
  if (after !== null) left.after -= 1;
  return [{ kind, before, after, text: line.slice(1) }];
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { "+": "added", "-": "removed", " ": "kept" };

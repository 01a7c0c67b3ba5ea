import { diffOf } from "../../compose/snapshots.ts";
import { TaskId } from "../../model/task.ts";
import type { CliContext } from "../output.ts";
import { printable } from "../render/lines.ts";

interface DiffFlags {
  project: string;
  stat?: boolean;
  json?: boolean;
}

/** `e8 diff [id] [n..m]`: a single argument that looks like a range is one. */
export async function diffCommand(
  words: readonly [string | undefined, string | undefined],
  { project, stat, json }: DiffFlags,
  { texts, output }: CliContext,
): Promise<void> {
  const [first, second] = words;
  const isRange =
    first !== undefined &&
    second === undefined &&
    /^(\d{1,4}|\d*\.\.\d*)$/.test(first) &&
    !TaskId.safeParse(first).success;
  const [id, range] = isRange ? [undefined, first] : [first, second];
  const found = await diffOf({ project, id }, range);
  if (json) return void output.json(found);
  if (found.files.length === 0) return void output.progress(texts.snapshots.unchanged);
  const lines = stat
    ? found.files.map(
        ({ path, status, added, removed }) => `${status ?? "?"}  ${path}  +${added ?? 0} -${removed ?? 0}`,
      )
    : found.diff.trimEnd().split("\n");
  output.page(lines.map(printable));
}

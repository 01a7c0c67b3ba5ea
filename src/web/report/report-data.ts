import { redactionOfAll } from "../../compose/dashboard.ts";
import { listKnowledge } from "../../compose/knowledge.ts";
import { readPast } from "../../compose/looking-back.ts";
import { diffOf } from "../../compose/snapshots.ts";
import type { DiffView, ReportData } from "../../model/dashboard.ts";
import { redacted } from "../../model/redaction.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { Wording } from "../options.ts";
import { shortened } from "../short-diff.ts";
import { readTaskView } from "../task-source.ts";
import { allEvidence } from "../views/matrix.ts";

interface Asked {
  directory: string;
  id: string;
  /** What the report calls the project. */
  project: string;
}

/** The iterations whose own changes a report holds, besides those of the whole run. */
const MOST_DIFFS = 40;
/** The patches of all of them, in characters. */
const LONGEST_DIFFS = 4_000_000;

/** All that a report shows: nothing is left to be asked for. It leaves the machine, so no secret of the project is in it. */
export async function readReport(
  { directory, id, project }: Asked,
  wording: Wording,
  texts: Texts,
): Promise<ReportData> {
  const [view, past, knowledge] = await Promise.all([
    readTaskView({ directory, id, project, row: undefined }, wording, texts),
    readPast(directory, id),
    listKnowledge({ project: directory, task: id, report: () => {} }),
  ]);
  const last = view.timeline.findLast(({ result }) => result !== "")?.iteration ?? 0;
  const iterations = view.timeline.map(({ iteration }) => iteration).filter((iteration) => iteration <= last);
  const data: ReportData = {
    language: texts.language,
    made_at: new Date().toISOString(),
    view,
    evidence: allEvidence(past.records, texts),
    diffs: await readDiffs({ directory, id }, last, iterations),
    knowledge,
  };
  return redacted(data, redactionOfAll([directory]));
}

/** The whole first, then the latest iterations; without snapshots, none. */
async function readDiffs({ directory, id }: Omit<Asked, "project">, last: number, iterations: readonly number[]) {
  const spans = [{ from: 0, to: last }, ...iterations.toReversed().map((to) => ({ from: to - 1, to }))];
  const wanted = spans
    .slice(0, MOST_DIFFS + 1)
    .filter(({ from, to }, index) => to > 0 && (index === 0 || from + to !== last));
  const diffs: DiffView[] = [];
  let length = 0;
  for (const { from, to } of wanted) {
    const found = await diffOf({ project: directory, id }, `${from}..${to}`).catch(() => undefined);
    if (!found) continue;
    const diff = shortened(found);
    length += diff.diff.length;
    if (length > LONGEST_DIFFS) break;
    diffs.push(diff);
  }
  return diffs;
}

import type { ComparedRun, Comparison, ComparisonEvent } from "../../model/comparison.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { Paint } from "../output.ts";
import { dollars, duration } from "./amounts.ts";
import { TOLD_OF_MANY } from "./backlog.ts";
import { blocks, fittedTable, terminalWidth } from "./columns.ts";
import { oneLine } from "./lines.ts";
import { type ProgressStyle, progressLines } from "./progress.ts";

/** Calm lines; each begins with the number and the agent of its run. */
export function comparisonLines(event: ComparisonEvent, style: ProgressStyle): string[] {
  const { texts, paint } = style;
  const { comparing } = texts;
  const lines = (words: readonly string[]) =>
    words.map((line) => `${paint("cyan", `${event.number} ${oneLine(event.agent, 40)}`)} ${line.trimStart()}`);
  switch (event.type) {
    case "entry-start":
      return lines([paint("bold", event.resumed ? comparing.goesOn(event.task_id) : comparing.begun(event.task_id))]);
    case "run":
      return TOLD_OF_MANY.has(event.envelope.event.type) ? lines(progressLines(event.envelope.event, style)) : [];
    case "entry-end":
      return lines([comparing.ended(texts.status[event.status])]);
    case "entry-failed":
      return lines([paint("yellow", comparing.failed(oneLine(teller(texts.language)(event.problem), 600)))]);
    case "keeping":
      return lines([paint("bold", comparing.keeping)]);
    case "removed":
      return lines([
        comparing.removed(event.branch, event.commit),
        ...(event.ignored.length > 0 ? [paint("yellow", comparing.ignored(event.ignored.join(texts.separator)))] : []),
      ]);
  }
}

/** The runs side by side: a column for each where the terminal has room, else a block for each. */
export function comparisonTable({ runs }: Comparison, texts: Texts, paint: Paint): string[] {
  const { rows: names } = texts.comparing;
  const keys = Object.keys(names) as (keyof typeof names)[];
  const columns = runs.map((run) => cellsOf(run, texts));
  const heads = runs.map(({ number, agent }) => `${number} ${oneLine(agent, 60)}`);
  const rows = keys.map((key) => [names[key], ...columns.map((cells) => cells[key])]);
  const [head, ...lines] = fittedTable([["", ...heads], ...rows], terminalWidth()) ?? [];
  if (head !== undefined) return [paint("bold", head), ...lines];
  const perRun = columns.map((cells) => keys.map((key) => cells[key]));
  const blocked = blocks(
    keys.map((key) => names[key]),
    perRun,
    terminalWidth(),
  );
  return blocked.flatMap((block, index) => [...(index > 0 ? [""] : []), paint("bold", heads[index] ?? ""), ...block]);
}

type Cells = Record<keyof Texts["comparing"]["rows"], string>;

function cellsOf(run: ComparedRun, texts: Texts): Cells {
  const { comparing, units, snapshots } = texts;
  const { changes, proof } = run;
  const isBegun = run.status !== "not_begun";
  return {
    status: statusWords(run, texts),
    criteria: `${run.criteria_met}/${run.criteria}`,
    proof: proof === null ? comparing.noProof : comparing.proofs[proof],
    iterations: String(run.iterations),
    time: isBegun ? duration(run.seconds, units) : "",
    tokens: isBegun ? tokenWords(run, texts) : "",
    cost: isBegun ? costWords(run, texts) : "",
    changes: changes ? snapshots.totals(changes.files, changes.added, changes.removed) : "",
    branch: run.worktree !== null || run.landing === "published" ? (run.branch ?? "") : "",
    task: run.task_id,
    landing: landingWords(run, texts),
  };
}

function statusWords({ status, stop_reason, problem }: ComparedRun, texts: Texts): string {
  if (problem !== undefined) return oneLine(teller(texts.language)(problem), 300);
  if (status === "not_begun") return texts.comparing.notBegun;
  const { running, paused, queued, interrupted } = texts.list;
  const words = { ...texts.status, running, paused, queued, interrupted }[status];
  return status === "completed" || stop_reason === null ? words : texts.labeled(words, texts.stop[stop_reason]);
}

function tokenWords({ tokens }: ComparedRun, { comparing }: Texts): string {
  return tokens === null ? comparing.unknown : String(tokens);
}

/** Never 0 where it is not known. */
function costWords({ cost_usd, least_cost_usd }: ComparedRun, { comparing }: Texts): string {
  if (cost_usd !== null) return dollars(cost_usd);
  return least_cost_usd > 0 ? comparing.atLeast(dollars(least_cost_usd)) : comparing.unknown;
}

function landingWords({ landing, kept_commit, worktree }: ComparedRun, { comparing, backlog }: Texts): string {
  if (landing !== null) return backlog.landing[landing];
  if (kept_commit !== null) return comparing.removedWork(kept_commit.slice(0, 10));
  return worktree === null ? "" : comparing.stays;
}

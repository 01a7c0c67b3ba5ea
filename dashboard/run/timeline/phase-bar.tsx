import type { IterationRow, PhaseSpan } from "../../../src/model/dashboard.ts";
import { duration } from "../../parts/format.ts";
import { useNow } from "../../parts/now.ts";
import { label, texts } from "../../texts/texts.ts";

/** How long each phase took, by length and colour; the longest iteration fills the line. */
export function PhaseBar({ row, longest }: { row: IterationRow; longest: number }) {
  const isGoing = row.start !== undefined && row.end === undefined;
  const now = useNow(isGoing);
  const phases = texts().phase;
  const spans = row.phases.map((span) => ({ ...span, length: lengthOf(span, row.end ?? now) }));
  const whole = Math.max(longest, isGoing ? now - (row.start ?? now) : 0, 1);
  return (
    <span class="phases" aria-hidden="true">
      {spans.map((span) => (
        <span
          key={span.start}
          data-phase={span.phase}
          title={`${label(phases, span.phase)}: ${duration(span.length)}`}
          style={{ inlineSize: `${(span.length / whole) * 100}%` }}
        />
      ))}
    </span>
  );
}

export function lengthOf({ start, end }: PhaseSpan, otherwise: number): number {
  return Math.max(0, (end ?? otherwise) - start);
}

export function Legend({ rows }: { rows: readonly IterationRow[] }) {
  const phases = texts().phase;
  const seen = new Set(rows.flatMap((row) => row.phases.map(({ phase }) => phase)));
  return (
    <ul class="legend small" aria-label={texts().timeline.phases}>
      {[...seen].map((phase) => (
        <li key={phase}>
          <span class="swatch" data-phase={phase} aria-hidden="true" />
          {label(phases, phase)}
        </li>
      ))}
    </ul>
  );
}

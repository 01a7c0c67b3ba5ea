import type { TaskRow } from "../../src/model/dashboard.ts";
import { label, texts } from "../texts/texts.ts";
import { clock, duration } from "./format.ts";
import { useNow } from "./now.ts";

/** What a run does now; where it waits, with a countdown. */
export function Doing({ doing }: { doing: NonNullable<TaskRow["doing"]> }) {
  const { phase, until } = doing;
  const now = useNow(until !== undefined);
  const { phase: phases, amount, run } = texts();
  return (
    <span class="doing">
      {label(phases, phase)}
      {until !== undefined && until > now && (
        <>
          {" · "}
          <span title={`${run.waitsUntil} ${clock(until)}`} role="timer">
            {amount.left(duration(Math.ceil((until - now) / 1000) * 1000))}
          </span>
        </>
      )}
    </span>
  );
}

import type { BacklogItem } from "../../src/model/dashboard.ts";
import { address } from "../app/route.ts";
import { Chip, Status } from "../parts/bits.tsx";
import { label, texts } from "../texts/texts.ts";

/** The issues by phase, each with how it stands. */
export function Board({ items }: { items: readonly BacklogItem[] }) {
  const words = texts().backlog;
  const phases = Map.groupBy(items, ({ phase }) => phase ?? words.noPhase);
  return (
    <div class="board">
      {[...phases].map(([phase, ones]) => (
        <section key={phase} aria-label={phase}>
          <h2>
            {phase} <span class="count">{ones.length}</span>
          </h2>
          <ul>
            {ones.map((item) => (
              <li key={item.issue}>
                <Card item={item} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Card({ item }: { item: BacklogItem }) {
  const words = texts().backlog;
  const { issue, title, doing, problem, row, turns } = item;
  return (
    <article class="card" data-blocked={problem !== undefined}>
      <p>
        <span class="quiet number">{words.issue(issue)}</span>{" "}
        {row ? <a href={address({ page: "task", project: row.project, id: row.task_id })}>{title}</a> : title}
      </p>
      <p class="chips small">{row?.status === "running" ? <Status status="running" /> : <Chip>{doing}</Chip>}</p>
      {problem && <p class="bad small">{problem}</p>}
      {turns.length > 0 && (
        <details class="small">
          <summary>{words.turns(turns.length)}</summary>
          <ol>
            {turns.map((turn) => (
              <li key={turn.task_id}>
                {row ? (
                  <a href={address({ page: "task", project: row.project, id: turn.task_id })}>{turn.task_id}</a>
                ) : (
                  turn.task_id
                )}
                {[turn.phase, turn.agent, turn.outcome && label(texts().status, turn.outcome)]
                  .filter(Boolean)
                  .map((word) => ` · ${word}`)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </article>
  );
}

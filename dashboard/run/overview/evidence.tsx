import type { CellEvidence, TaskView } from "../../../src/model/dashboard.ts";
import { source } from "../../app/context.ts";
import { address } from "../../app/route.ts";
import { useLoaded } from "../../data/use-loaded.ts";
import { Chip, ProblemBox, Waiting } from "../../parts/bits.tsx";
import { label, texts } from "../../texts/texts.ts";
import type { Place } from "./overview.tsx";

export function Evidence({ view, place }: { view: TaskView; place: Place | undefined }) {
  const words = texts().evidence;
  return (
    <aside class="evidence" aria-label={words.quoted}>
      {place ? <Of view={view} place={place} /> : <p class="quiet">{words.pick}</p>}
    </aside>
  );
}

function Of({ view, place }: { view: TaskView; place: Place }) {
  const { evidence: words, labeled } = texts();
  const row = view.rows.find(({ id }) => id === place.id);
  const { value, problem, again } = useLoaded(
    () => source().evidence(view, place),
    `${view.task_id} ${place.iteration} ${place.id}`,
  );
  const { project, task_id: id } = view;
  return (
    <>
      <h2>{words.title(place.id, place.iteration)}</h2>
      {row && <p>{row.text}</p>}
      {row?.command && row.command !== row.text && <pre class="command">{row.command}</pre>}
      {row?.refined && row.refined !== row.text && <p class="small quiet">{labeled(words.refined, row.refined)}</p>}
      {problem && <ProblemBox problem={problem} again={again} />}
      {value ? <Found found={value} /> : !problem && <Waiting />}
      <p>
        <a
          href={address(
            { page: "task", project, id, tab: "changes" },
            { from: place.iteration - 1, to: place.iteration },
          )}
        >
          {words.diff}
        </a>
      </p>
    </>
  );
}

function Found({ found }: { found: CellEvidence }) {
  const words = texts().evidence;
  const { matrix, cut, labeled } = texts();
  return (
    <>
      <p class="chips">
        <Chip tone={found.is_met ? "good" : "bad"}>{found.is_met ? matrix.met : matrix.unmet}</Chip>
        <span class="quiet small">
          {labeled(words.by, label(words.source, found.source))}
          {found.source === "judge" && ` · ${words.confidence} ${Math.round(found.confidence * 100)} %`}
        </span>
      </p>
      {found.said && <p>{found.said}</p>}
      {found.quoted && (
        <pre tabIndex={0} role="group" aria-label={words.quoted}>
          {found.is_cut ? `${cut}\n${found.quoted}` : found.quoted}
        </pre>
      )}
      {!found.said && !found.quoted && <p class="quiet">{words.none}</p>}
    </>
  );
}

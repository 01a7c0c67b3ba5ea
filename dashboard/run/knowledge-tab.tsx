import { useState } from "preact/hooks";
import type { TaskView } from "../../src/model/dashboard.ts";
import type { Knowledge } from "../../src/model/roles.ts";
import { source } from "../app/context.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Chip, Empty, ProblemBox, Section, Waiting } from "../parts/bits.tsx";
import { label, texts } from "../texts/texts.ts";

export function KnowledgeTab({ view }: { view: TaskView }) {
  const { value, problem, again } = useLoaded(() => source().knowledge(view), view.task_id);
  if (problem) return <ProblemBox problem={problem} again={again} />;
  if (!value) return <Waiting />;
  if (value.entries.length === 0) return <Empty>{texts().knowledge.empty}</Empty>;
  return <Entries entries={value.entries} />;
}

const MOST_SHOWN = 200;

function Entries({ entries }: { entries: readonly Knowledge[] }) {
  const words = texts().knowledge;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(MOST_SHOWN);
  const asked = search.toLowerCase();
  const found = entries.filter(({ content, category }) => `${category} ${content}`.toLowerCase().includes(asked));
  const groups = Map.groupBy(found.slice(0, most), ({ type }) => type);
  return (
    <div class="knowledge">
      <search class="tools">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </search>
      {[...groups].map(([type, ones]) => (
        <Section key={type} title={label(words.types, type)}>
          <ul class="notes learned">
            {ones.map((one) => (
              <Entry key={`${one.created_at} ${one.content}`} entry={one} />
            ))}
          </ul>
        </Section>
      ))}
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + MOST_SHOWN)}>
          {texts().more}
        </button>
      )}
    </div>
  );
}

function Entry({ entry }: { entry: Knowledge }) {
  const words = texts().knowledge;
  return (
    <li>
      <Chip>{entry.category}</Chip>
      <span>
        <span class="prose">{entry.content}</span>
        <span class="quiet small">
          {label(words.confidence, entry.confidence)}
          {entry.applied_count > 0 && ` · ${words.applied(entry.applied_count)}`}
          {entry.example_file && ` · ${entry.example_file}`}
          {` · ${words.from} ${entry.source_task}`}
        </span>
      </span>
    </li>
  );
}

import { useEffect } from "preact/hooks";
import type { BacklogItem, BacklogView } from "../../src/model/dashboard.ts";
import { projectName, projectsHere, source } from "../app/context.ts";
import { address, go } from "../app/route.ts";
import { useTitle } from "../app/title.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { ProblemBox, Section, Status, Waiting } from "../parts/bits.tsx";
import { Doing } from "../parts/doing.tsx";
import { First } from "../parts/first.tsx";
import { useTasks } from "../tasks/task-list.ts";
import { texts } from "../texts/texts.ts";
import { Board } from "./board.tsx";

const EVERY = 5_000;

export function BacklogPage({ project }: { project: string }) {
  const words = texts().backlog;
  useTitle(words.title);
  const key = project || projectsHere()[0]?.key || "";
  const { value, problem, again } = useLoaded(() => source().backlog(key), key);
  const { tasks } = useTasks();
  const running = tasks?.filter((row) => row.project === key && row.status === "running").length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that begins or ends changes the backlog
  useEffect(again, [running]);
  useEffect(() => {
    const timer = setInterval(again, EVERY);
    return () => clearInterval(timer);
  });
  return (
    <div class="page">
      <div class="title-row">
        <h1>{words.title}</h1>
        <ProjectChoice chosen={key} />
      </div>
      {problem && <ProblemBox problem={problem} again={again} />}
      {value ? <Shown view={value} /> : !problem && <Waiting />}
    </div>
  );
}

function ProjectChoice({ chosen }: { chosen: string }) {
  const projects = projectsHere();
  if (projects.length < 2) return <span class="quiet">{projectName(chosen)}</span>;
  return (
    <select
      aria-label={texts().tasks.project}
      value={chosen}
      onChange={(event) => go({ page: "backlog", project: event.currentTarget.value })}
    >
      {projects.map(({ key }) => (
        <option key={key} value={key}>
          {projectName(key)}
        </option>
      ))}
    </select>
  );
}

function Shown({ view }: { view: BacklogView }) {
  const words = texts().backlog;
  if (view.items.length === 0) return <First said={words.none} />;
  const running = view.items.filter(({ row }) => row?.status === "running");
  const blocked = view.items.filter(({ problem }) => problem !== undefined);
  return (
    <>
      <div class="backlog-top">
        <Section title={words.running}>
          {running.length > 0 ? <Running items={running} /> : <p class="quiet">{words.nothing}</p>}
        </Section>
        <Section title={words.queue}>
          <Lanes view={view} />
        </Section>
        <Section title={words.blocked} side={<span class="quiet small">{words.blockedCount(blocked.length)}</span>}>
          {blocked.length > 0 ? <Blocked items={blocked} /> : <p class="quiet">{words.nothing}</p>}
        </Section>
      </div>
      <Board items={view.items} />
    </>
  );
}

function Running({ items }: { items: readonly BacklogItem[] }) {
  return (
    <ul class="notes">
      {items.map(({ issue, title, row }) => (
        <li key={issue}>
          {row && <Status status={row.status} />}
          <span>
            {row ? (
              <a href={address({ page: "task", project: row.project, id: row.task_id })}>
                #{issue} {title}
              </a>
            ) : (
              title
            )}
            <span class="quiet small">
              {row?.agent} {row?.doing && <Doing doing={row.doing} />}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Lanes({ view }: { view: BacklogView }) {
  const words = texts().backlog;
  const titles = new Map(view.items.map(({ issue, title }) => [issue, title]));
  const lanes = view.lanes.filter(({ waiting }) => waiting.length > 0);
  if (lanes.length === 0) return <p class="quiet">{words.nothing}</p>;
  return (
    <>
      {lanes.map(({ base, waiting }) => (
        <div key={base}>
          <h3>{words.base(base)}</h3>
          <ol class="lane">
            {waiting.map((issue) => (
              <li key={issue}>
                #{issue} {titles.get(issue)}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

function Blocked({ items }: { items: readonly BacklogItem[] }) {
  return (
    <ul class="notes">
      {items.map(({ issue, title, problem }) => (
        <li key={issue}>
          <span>
            #{issue} {title}
            <span class="bad small">{problem}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

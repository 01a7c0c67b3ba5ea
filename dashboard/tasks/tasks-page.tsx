import { useMemo, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { maySteer, projectName, session } from "../app/context.ts";
import { useKeys } from "../app/keys.ts";
import { address, refine, route } from "../app/route.ts";
import { useTitle } from "../app/title.ts";
import { Choice, Empty, ProblemBox, Waiting } from "../parts/bits.tsx";
import { First } from "../parts/first.tsx";
import { texts } from "../texts/texts.ts";
import { GROUPS, groupOf, matching, ORDERS, ordered, type Wanted } from "./choose-tasks.ts";
import { loadTasks, useTasks } from "./task-list.ts";
import { TaskRows } from "./task-rows.tsx";

export function TasksPage() {
  const words = texts().tasks;
  useTitle(words.title);
  const { tasks, problem } = useTasks();
  return (
    <div class="page">
      <h1>{words.title}</h1>
      {problem && <ProblemBox problem={problem} again={() => void loadTasks()} />}
      {tasks ? <Chosen tasks={tasks} /> : !problem && <Waiting />}
    </div>
  );
}

function wanted(): Wanted {
  const { query } = route.value;
  const group = query.get("show");
  const order = query.get("order");
  return {
    group: GROUPS.find((one) => one === group) ?? "all",
    order: ORDERS.find((one) => one === order) ?? "active",
    search: query.get("search") ?? "",
    project: query.get("project") ?? "",
  };
}

function Chosen({ tasks }: { tasks: readonly TaskRow[] }) {
  const words = texts().tasks;
  const asked = wanted();
  const { group, order } = asked;
  const found = matching(tasks, asked);
  const inGroup = group === "all" ? found : found.filter((row) => groupOf(row) === group);
  const rows = useMemo(() => ordered(inGroup, order), [inGroup, order]);
  if (tasks.length === 0)
    return (
      <First said={maySteer() ? words.first : words.firstReadOnly}>
        {maySteer() && <a href={address({ page: "new" })}>{texts().pages.start}</a>}
      </First>
    );
  return (
    <>
      <Tools asked={asked} found={found} />
      <p class={rows.length === tasks.length ? "unseen" : "quiet counted"} role="status">
        {words.shown(rows.length, tasks.length)}
      </p>
      {rows.length > 0 ? <TaskRows rows={rows} /> : <Empty>{words.empty}</Empty>}
    </>
  );
}

function Tools({ asked, found }: { asked: Wanted; found: readonly TaskRow[] }) {
  const words = texts().tasks;
  const search = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => search.current?.focus() });
  const counts = Map.groupBy(found, groupOf);
  const options = GROUPS.map((value) => ({
    value,
    text: words.groups[value],
    count: value === "all" ? found.length : (counts.get(value)?.length ?? 0),
  }));
  return (
    <search class="tools">
      <Choice
        label={words.filter}
        options={options}
        chosen={asked.group}
        choose={(show) => refine({ show: show === "all" ? "" : show })}
      />
      <span class="gap" />
      <input
        ref={search}
        type="search"
        aria-label={words.search}
        placeholder={`${words.search}  /`}
        value={asked.search}
        onInput={(event) => refine({ search: event.currentTarget.value })}
      />
      <Projects chosen={asked.project} />
      <select
        aria-label={words.order}
        value={asked.order}
        onChange={(event) => refine({ order: event.currentTarget.value })}
      >
        {ORDERS.map((one) => (
          <option key={one} value={one}>
            {words.orders[one]}
          </option>
        ))}
      </select>
    </search>
  );
}

function Projects({ chosen }: { chosen: string }) {
  const words = texts().tasks;
  const projects = session.value?.projects ?? [];
  if (projects.length < 2) return null;
  return (
    <select
      aria-label={words.project}
      value={chosen}
      onChange={(event) => refine({ project: event.currentTarget.value })}
    >
      <option value="">{words.allProjects}</option>
      {projects.map(({ key }) => (
        <option key={key} value={key}>
          {projectName(key)}
        </option>
      ))}
    </select>
  );
}

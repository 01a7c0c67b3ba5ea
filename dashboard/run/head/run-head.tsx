import type { TaskView } from "../../../src/model/dashboard.ts";
import { projectName, source } from "../../app/context.ts";
import { address } from "../../app/route.ts";
import { Chip, Meter, Status } from "../../parts/bits.tsx";
import { Doing } from "../../parts/doing.tsx";
import { count, dollars, duration, moment, spentDollars, spentTokens } from "../../parts/format.ts";
import { useNow } from "../../parts/now.ts";
import { texts } from "../../texts/texts.ts";
import { Actions } from "../actions/actions.tsx";

export function RunHead({ view, reload }: { view: TaskView; reload: () => void }) {
  const { run, tasks } = texts();
  return (
    <header class="run-head">
      <p class="crumbs small">
        {source().is_live && <a href={address({ page: "tasks" })}>← {run.back}</a>}
        <span class="quiet">{projectName(view.project)}</span>
        <span class="quiet mono">{view.task_id}</span>
        {view.issue !== undefined && <Chip>{tasks.issue(view.issue)}</Chip>}
      </p>
      <div class="title-row">
        <h1>{view.title}</h1>
        <Actions view={view} reload={reload} />
      </div>
      <div class="state">
        <p class="chips">
          <Status status={view.status} />
          {view.doing && view.status === "running" && (
            <span class="small">
              · <Doing doing={view.doing} />
            </span>
          )}
          {view.problem && <Chip tone="bad">{view.problem}</Chip>}
        </p>
        <Amounts view={view} />
      </div>
    </header>
  );
}

function Amounts({ view }: { view: TaskView }) {
  const { run, amount } = texts();
  const { spent, budget } = view;
  const isCostly = budget.cost_usd !== undefined && spent.cost_usd > budget.cost_usd * 0.8;
  return (
    <dl class="amounts">
      <Amount
        name={run.criteria}
        value={`${view.criteria_met} / ${view.criteria}`}
        part={view.criteria_met}
        whole={view.criteria}
      />
      <Amount
        name={run.iterations}
        value={`${count(view.iterations)} / ${count(view.max_iterations)}`}
        part={view.iterations}
        whole={view.max_iterations}
        tone="plain"
      />
      <Amount
        name={amount.cost}
        value={
          budget.cost_usd === undefined ? spentDollars(spent) : `${spentDollars(spent)} / ${dollars(budget.cost_usd)}`
        }
        part={spent.cost_usd}
        whole={budget.cost_usd}
        tone={isCostly ? "warn" : "plain"}
      />
      <Amount name={amount.tokens} value={spentTokens(spent)} part={spent.tokens} whole={budget.tokens} tone="plain" />
      <Time view={view} />
      {view.agent && <Amount name={run.agent} value={view.agent} isRare />}
      <Amount name={run.started} value={moment(view.created_at)} isRare />
    </dl>
  );
}

function Time({ view }: { view: TaskView }) {
  const isRunning = view.status === "running";
  const now = useNow(isRunning);
  const { start } = view.timeline.at(-1) ?? {};
  const value = view.spent.seconds * 1000;
  const since = isRunning && start !== undefined ? ` (+${duration(now - start)})` : "";
  const minutes = view.budget.minutes;
  return (
    <Amount
      name={texts().amount.time}
      value={`${duration(value)}${since}`}
      part={view.spent.seconds}
      whole={minutes === undefined ? undefined : minutes * 60}
      tone="plain"
    />
  );
}

function Amount(props: {
  name: string;
  value: string;
  part?: number;
  whole?: number | undefined;
  tone?: string;
  isRare?: boolean;
}) {
  const { name, value, part, whole, tone = "good", isRare } = props;
  return (
    <div class={isRare ? "rarely" : ""}>
      <dt>{name}</dt>
      <dd>
        {value}
        {part !== undefined && whole !== undefined && <Meter part={part} whole={whole} tone={tone} />}
      </dd>
    </div>
  );
}

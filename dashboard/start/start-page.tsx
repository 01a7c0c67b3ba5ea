import { useState } from "preact/hooks";
import { announce } from "../app/announce.tsx";
import { maySteer, projectName, projectsHere, source } from "../app/context.ts";
import { go } from "../app/route.ts";
import { useTitle } from "../app/title.ts";
import { type Problem, problemOf } from "../data/source.ts";
import { Empty } from "../parts/bits.tsx";
import { coded, codedProblem } from "../parts/coded.tsx";
import { texts } from "../texts/texts.ts";
import { Several } from "./several.tsx";

interface Draft {
  project: string;
  task: string;
  criteria: string[];
  checks: string[];
  iterations: string;
  cost: string;
}

/** The questions of `e8 init`. */
export function StartPage() {
  const words = texts().start;
  useTitle(words.title);
  return (
    <div class="page narrow">
      <h1>{words.title}</h1>
      {maySteer() ? <Form /> : <Empty>{coded(words.readOnly)}</Empty>}
    </div>
  );
}

const given = (texts: readonly string[]) => texts.map((text) => text.trim()).filter(Boolean);

function Form() {
  const words = texts().start;
  const [draft, setDraft] = useState<Draft>(() => ({
    project: projectsHere()[0]?.key ?? "",
    task: "",
    criteria: [""],
    checks: [""],
    iterations: "",
    cost: "",
  }));
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const missing = missingIn(draft);
  const send = async (event: Event) => {
    event.preventDefault();
    if (missing) return setProblem({ code: "missing", message: missing });
    setBusy(true);
    try {
      const outcome = await source().start(asked(draft));
      announce(outcome.said);
      go(outcome.task_id ? { page: "task", project: draft.project, id: outcome.task_id } : { page: "tasks" });
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="start" onSubmit={(event) => void send(event)}>
      <ProjectField chosen={draft.project} choose={(project) => change({ project })} />
      <label>
        {words.task}
        <textarea
          required
          rows={4}
          placeholder={words.taskExample}
          value={draft.task}
          onInput={(event) => change({ task: event.currentTarget.value })}
        />
      </label>
      <Several
        title={words.criteria}
        name={words.criterion}
        example={words.criterionExample}
        add={words.addCriterion}
        values={draft.criteria}
        change={(criteria) => change({ criteria })}
      />
      <Several
        title={words.checks}
        name={words.check}
        example="npm test"
        add={words.addCheck}
        isCode
        values={draft.checks}
        change={(checks) => change({ checks })}
      />
      <Limits draft={draft} change={change} />
      {problem && (
        <p class="bad" role="alert">
          {codedProblem(problem)}
        </p>
      )}
      <footer>
        <button type="submit" class="main" disabled={isBusy}>
          {words.run}
        </button>
      </footer>
    </form>
  );
}

function missingIn({ task, criteria, checks }: Draft): string | undefined {
  const words = texts().start;
  if (task.trim() === "") return words.needsTask;
  return given([...criteria, ...checks]).length === 0 ? words.needsCriterion : undefined;
}

function asked({ project, task, criteria, checks, iterations, cost }: Draft) {
  return {
    project,
    task: task.trim(),
    criteria: given(criteria),
    checks: given(checks),
    ...(iterations !== "" && { max_iterations: Number(iterations) }),
    ...(cost !== "" && { max_cost: Number(cost) }),
  };
}

function ProjectField({ chosen, choose }: { chosen: string; choose: (project: string) => void }) {
  const projects = projectsHere();
  if (projects.length < 2) return null;
  return (
    <label>
      {texts().start.project}
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {projects.map(({ key }) => (
          <option key={key} value={key}>
            {projectName(key)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Limits({ draft, change }: { draft: Draft; change: (changes: Partial<Draft>) => void }) {
  const words = texts().start;
  return (
    <div class="pair">
      <label>
        {words.iterations}
        <input
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          step={1}
          placeholder={words.iterationsEmpty}
          value={draft.iterations}
          onInput={(event) => change({ iterations: event.currentTarget.value })}
        />
      </label>
      <label>
        {words.cost}
        <input
          type="number"
          inputMode="decimal"
          min={0.01}
          step="any"
          placeholder={words.costEmpty}
          value={draft.cost}
          onInput={(event) => change({ cost: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

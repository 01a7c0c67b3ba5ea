import { rollBack } from "../compose/snapshots.ts";
import { pausedTask, pauseTask, tellTask, unpauseTask } from "../compose/steering.ts";
import { cancelTask, keepAnswers, openQuestions } from "../compose/tasks.ts";
import type { ActionOutcome, DashboardAction } from "../model/dashboard.ts";
import { E8Error } from "../model/errors.ts";
import type { TaskId } from "../model/task.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import { fleetOf } from "./fleet.ts";
import { launch } from "./launch.ts";
import type { DashboardOptions } from "./options.ts";

interface Place {
  directory: string;
  id: TaskId;
}

interface Means {
  options: DashboardOptions;
  texts: Texts;
}

type Act<A> = (action: A, place: Place, means: Means) => Promise<ActionOutcome>;
type Acts = { [D in DashboardAction["do"]]: Act<Extract<DashboardAction, { do: D }>> };

/** Each does what the command of the same name does. */
const acts: Acts = {
  answer: ({ answers }, place, means) => answer(answers, place, means),
  tell: async ({ text }, { directory, id }, { texts: { steering } }) => {
    const { isDone } = await tellTask({ project: directory, id }, text);
    return { said: isDone ? steering.told(id) : steering.toldStopped(id), task_id: id };
  },
  pause: async (_, { directory, id }, { texts: { steering } }) => {
    const { isDone } = await pauseTask({ project: directory, id });
    return { said: isDone ? steering.paused(id) : steering.pausePending(id), task_id: id };
  },
  resume: (_, place, means) => resume(place, means),
  cancel: async (_, { directory, id }, { texts }) => {
    const hasStopped = await cancelTask(directory, id);
    return { said: hasStopped ? texts.cancelled(id) : texts.cancelPending(id), task_id: id };
  },
  fork: async ({ from }, { directory, id }, { options, texts }) => {
    const task_id = await launch({ directory, words: ["fork", id, "--from", String(from)] }, options, texts);
    return { said: texts.dashboard.forked(task_id, from), task_id };
  },
  rollback: async ({ to }, { directory, id }, { texts: { snapshots } }) => {
    const said: string[] = [];
    await rollBack({ project: directory, id }, String(to), ({ before, left_out, interrupted }) => {
      said.push(snapshots.rolledBack(id, String(to), before));
      if (left_out) said.push(snapshots.leftOut(left_out));
      if (interrupted !== undefined) said.push(snapshots.interrupted(id, interrupted));
    });
    return { said: said.join("\n"), task_id: id };
  },
};

export function act(action: DashboardAction, place: Place, means: Means): Promise<ActionOutcome> {
  return (acts[action.do] as Act<DashboardAction>)(action, place, means);
}

/** A note, a pause and a cancellation are requests, which reach a run wherever it is; a fleet has its own files. */
export async function needsFiles(action: DashboardAction, place: Place): Promise<boolean> {
  if (action.do === "fork" || action.do === "rollback") return true;
  if (action.do === "resume" && (await pausedTask({ project: place.directory, id: place.id }))) return false;
  return (action.do === "resume" || action.do === "answer") && !(await fleetOf(place));
}

async function resume({ directory, id }: Place, { options, texts }: Means): Promise<ActionOutcome> {
  const paused = await pausedTask({ project: directory, id });
  const fleet = paused === undefined ? await fleetOf({ directory, id }) : undefined;
  if (fleet) return { said: texts.fleet.inLine(await fleet.again()), task_id: id };
  if (paused === undefined) {
    const task_id = await launch({ directory, words: ["run", "--resume", id] }, options, texts);
    return { said: texts.dashboard.goesOn(task_id), task_id };
  }
  const { isDone } = await unpauseTask(directory, paused);
  return { said: isDone ? texts.dashboard.goesOn(paused) : texts.steering.unpausePending(paused), task_id: paused };
}

/** Empty answers leave their questions open; once none is, the task goes on. */
async function answer(given: readonly string[], { directory, id }: Place, means: Means): Promise<ActionOutcome> {
  const { options, texts } = means;
  const questions = await openQuestions(directory, id);
  if (given.length !== questions.length) throw new E8Error("answers_missing", { id, count: questions.length });
  const answers = questions.flatMap(({ question }, index) => {
    const words = given[index]?.trim() ?? "";
    return words === "" ? [] : [{ question, answer: words }];
  });
  if (answers.length === 0) throw new E8Error("answers_missing", { id, count: questions.length });
  const fleet = await fleetOf({ directory, id });
  if (answers.length < questions.length || fleet) await keepAnswers({ project: directory, id, answers });
  if (answers.length < questions.length)
    return { said: texts.dashboard.answersKept(questions.length - answers.length), task_id: id };
  if (fleet) return { said: texts.fleet.answered(await fleet.again()), task_id: id };
  const words = ["answer", id, ...answers.map((one) => `--answer=${one.answer}`)];
  const task_id = await launch({ directory, words }, options, texts);
  return { said: texts.dashboard.goesOn(task_id), task_id };
}

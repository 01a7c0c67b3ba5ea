import { useState } from "preact/hooks";
import type { DashboardAction, TaskView } from "../../../src/model/dashboard.ts";
import { announce } from "../../app/announce.tsx";
import { isHere, maySteer, source } from "../../app/context.ts";
import { useKeys } from "../../app/keys.ts";
import { go } from "../../app/route.ts";
import { type Problem, problemOf } from "../../data/source.ts";
import { codedProblem } from "../../parts/coded.tsx";
import { texts } from "../../texts/texts.ts";
import { CancelDialog, PlaceDialog, TellDialog } from "./dialogs.tsx";

export type Act = (action: DashboardAction) => Promise<boolean>;

/** Does what the user asks, says what came of it, and goes to the task that it made. */
export function useAct(
  view: TaskView,
  reload: () => void,
): { act: Act; problem: Problem | undefined; isBusy: boolean; said: string } {
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const act = async (action: DashboardAction) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const outcome = await source().act(view, action);
      announce(outcome.said);
      setSaid(outcome.said);
      reload();
      if (outcome.task_id && outcome.task_id !== view.task_id)
        go({ page: "task", project: view.project, id: outcome.task_id });
      return true;
    } catch (error) {
      setProblem(problemOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, problem, isBusy, said };
}

type Open = "tell" | "cancel" | "fork" | "rollback" | undefined;

export function Actions({ view, reload }: { view: TaskView; reload: () => void }) {
  const { act, problem, isBusy, said } = useAct(view, reload);
  const [open, setOpen] = useState<Open>();
  const words = texts().act;
  const isRunning = view.status === "running";
  const isPaused = view.status === "paused";
  const pause = () => void act({ do: isRunning ? "pause" : "resume" });
  const mayBegin = isHere(view.project) || view.is_of_fleet === true;
  const mayResume = isPaused || (mayBegin && !isRunning && view.status !== "completed" && view.status !== "unreadable");
  useKeys(maySteer() ? { m: () => setOpen("tell"), ...((isRunning || mayResume) && { p: pause }) } : {});
  if (!maySteer()) return null;
  return (
    <div class="actions">
      {(isRunning || mayResume) && (
        <button
          type="button"
          class={isRunning || view.questions.length > 0 ? "" : "main"}
          disabled={isBusy}
          onClick={pause}
        >
          {isRunning ? words.pause : words.resume}
        </button>
      )}
      <Buttons view={view} open={setOpen} />
      {said && !problem && <p class="said small">{said}</p>}
      {problem && (
        <p class="said small bad" role="alert">
          {codedProblem({ ...problem, message: texts().labeled(words.failed, problem.message) })}
        </p>
      )}
      <Dialogs open={open} view={view} act={act} close={() => setOpen(undefined)} />
    </div>
  );
}

function Dialogs({ open, view, act, close }: { open: Open; view: TaskView; act: Act; close: () => void }) {
  switch (open) {
    case "tell":
      return <TellDialog act={act} close={close} />;
    case "cancel":
      return <CancelDialog act={act} close={close} />;
    case "fork":
    case "rollback":
      return <PlaceDialog kind={open} view={view} act={act} close={close} />;
    default:
      return null;
  }
}

function Buttons({ view, open }: { view: TaskView; open: (dialog: Open) => void }) {
  const words = texts().act;
  const hasFiles = isHere(view.project);
  const isAlive = ["queued", "running", "paused"].includes(view.status);
  return (
    <>
      {view.status !== "completed" && (
        <button type="button" onClick={() => open("tell")}>
          {words.tell}
        </button>
      )}
      {hasFiles && (
        <button type="button" onClick={() => open("fork")}>
          {words.fork}
        </button>
      )}
      {hasFiles && !isAlive && (
        <button type="button" onClick={() => open("rollback")}>
          {words.rollback}
        </button>
      )}
      {isAlive && (
        <button type="button" class="danger" onClick={() => open("cancel")}>
          {words.cancel}
        </button>
      )}
    </>
  );
}

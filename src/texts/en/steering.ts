import { counted } from "../message-texts.ts";

/** What is said about a run that is steered from outside. */
export const enSteering = {
  note: (text: string) => `note from you: ${text}`,
  paused: "paused; it goes on with e8 resume",
  unpaused: "going on",
  steering: {
    told: (id: string) => `The next worker of task ${id} will read it.`,
    toldStopped: (id: string) =>
      `Task ${id} is not running; its next worker will read it. Go on with the task: e8 resume ${id}`,
    paused: (id: string) => `Task ${id} is paused. It goes on with: e8 resume ${id}`,
    pausePending: (id: string) => `Task ${id} was asked to pause and has not done so yet.`,
    unpaused: (id: string) => `Task ${id} goes on. Watch it: e8 watch ${id}`,
    unpausePending: (id: string) => `Task ${id} was asked to go on and has not done so yet.`,
    pausedRunStays:
      "a paused run goes on as it is. To change its settings, stop it first (e8 cancel) and then resume it with them",
  },
  notify: {
    title: (task: string) => `endless8: ${task}`,
    question: (count: number, id: string) => `${counted(count, "question")} to answer: e8 answer ${id}`,
    wait: (reason: string, until: string) => `waiting until ${until}: ${reason}`,
    facts: (iterations: number, met: number, of: number) =>
      [counted(iterations, "iteration"), ...(of > 0 ? [`${met} of ${of} criteria met`] : [])].join(", "),
  },
};

export const enSteeringHelp = {
  onEnd: "run this command when the run has ended, with the result as JSON on its stdin",
  tell: "leave a note for the next worker of a task",
  noteArgument: "what the worker is to know; - reads it from standard input",
  pause: "pause a running task where it is, with all its processes; its clocks stop, too",
  resumeCommand: "go on with a paused task, or with one that is not running, as `run --resume` does",
  runningIdArgument: "task id, see `e8 list`; may be left out while only one task is running",
  pausedIdArgument: "task id, see `e8 list`; where it is left out, the only paused task or else the latest",
};

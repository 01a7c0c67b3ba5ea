import type { FailureCode } from "../../model/agent.ts";

/** What is waited for. */
const trouble: Partial<Record<FailureCode, string>> = {
  rate_limit: "rate limit",
  usage_limit: "usage limit",
  overloaded: "the model is overloaded",
  server: "the model's server is in trouble",
  network: "the model cannot be reached",
};

/** What a running task shows, and how questions are put. */
export const enLive = {
  live: {
    starting: "starting",
    ending: "ending",
    besideChecks: (phase: string) => `${phase}, checks running`,
    trouble,
    waiting: (left: string) => `waiting, again in ${left}`,
    stopping: "stopping",
    of: (amount: string, limit: string) => `${amount} of ${limit}`,
    tokens: (amount: string) => `${amount} tokens`,
    moreCriteria: (count: number, unmet: number) =>
      unmet > 0 ? `… ${count} more, ${unmet} not met` : `… ${count} more`,
    howToStop: "Ctrl-C stops; e8 run --resume goes on",
    howToStopAtOnce: "Ctrl-C again: at once",
    howToLeave: "Ctrl-C leaves this view; the run goes on",
    howToLeaveReplay: "Ctrl-C leaves this view",
  },
  /** An agent made of steps. */
  flow: {
    step: (number: number, of: number, title: string) => `step ${number} of ${of}: ${title}`,
    named: (id: string, name: string) => `${id} (${name})`,
    retry: "retry",
    refused: (times: number) => (times > 0 ? `not complete (sent back ${times}×)` : "not complete"),
  },
  questions: {
    keys: "Up and Down choose, Enter takes it, Esc leaves the questions open.",
    another: "another answer …",
    yourAnswer: "your answer",
    stopped: "stopped here; fg goes on",
    blank: "Please answer, or press Esc to leave the questions open",
  },
};

export const enLiveHelp = {
  quiet: "only the result: no progress, no warnings",
  plain: "plain lines instead of the live view, also at a terminal",
  watch: "watch a task that another process runs, or replay a finished one",
  speed: "replay a finished run with its own pauses, so many times faster (at once where left out)",
  jsonEvents: "print every event as a line of JSON on standard output, as it happens",
};

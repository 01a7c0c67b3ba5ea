import { counted } from "../message-texts.ts";

/** The comment of `e8 report --md`. */
export const enReportFile = {
  reportFile: {
    written: (path: string) => `The report is in ${path}`,
    verdict: { true: "Done and proved", false: "Done, without a proof" },
    open: (status: string) => `Not done: ${status}`,
    task: "Task",
    criteria: (met: number, all: number) => `Criteria: ${met} of ${all} met`,
    criterion: "Criterion",
    met: "met",
    unmet: "not met",
    unjudged: "not judged",
    questions: "It needs answers before it can begin",
    choices: (choices: string) => `Suggested: ${choices}`,
    evidence: "Evidence",
    evidenceOf: (id: number, iteration: number) => `Criterion ${id}, iteration ${iteration}`,
    proof: "Proof",
    holds: (iteration: number) => `The claim of iteration ${iteration} holds.`,
    refuted: (iteration: number) => `The claim of iteration ${iteration} is refuted.`,
    check: "Check",
    before: "Before",
    after: "After",
    states: { true: "passed", false: "failed", null: "not known" },
    protected: "Protected files that changed",
    cost: "Cost",
    iterations: (count: number) => counted(count, "iteration"),
    tokens: (amount: string) => `${amount} tokens`,
    changes: (files: number, added: number, removed: number) =>
      `Changes: ${counted(files, "file")}, +${added} −${removed}`,
    more: (count: number) => `and ${count} more`,
    made: (id: string) => `Run ${id} of endless8`,
  },
};

export const enReportHelp = {
  report: "write a run as one HTML file to hand on: its criteria, timeline, proof and changes",
  reportOutput: "the file to write; - for standard output; where it is left out, a name of the run's own",
  reportMarkdown: "a Markdown comment instead of a page; to standard output where no file is named",
};

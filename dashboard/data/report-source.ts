import type { ReportData, TaskView } from "../../src/model/dashboard.ts";
import { parseClean } from "./clean.ts";
import { Failed, type Source } from "./source.ts";

const missing = (what: string) => Promise.reject(new Failed({ code: "not_in_report", message: what }));
const still = () => () => {};

/** The data that `e8 report` has written into the page. */
export function reportSource(report: ReportData): Source {
  const view: TaskView = report.view;
  const session = {
    version: "",
    language: report.language,
    read_only: true,
    projects: [{ key: view.project, name: view.project, is_elsewhere: false }],
  };
  return {
    is_live: false,
    made_at: report.made_at,
    session: () => Promise.resolve(session),
    tasks: () => Promise.resolve([view]),
    task: () => Promise.resolve(view),
    evidence: (_, { iteration, id }) => {
      const found = report.evidence.find((one) => one.iteration === iteration && one.id === id);
      return found ? Promise.resolve(found) : missing("evidence");
    },
    diff: (_, { from, to }) => {
      const found = report.diffs.find((one) => one.from === from && one.to === to);
      return found ? Promise.resolve(found) : missing("diff");
    },
    knowledge: () => Promise.resolve({ entries: report.knowledge }),
    backlog: () => missing("backlog"),
    start: () => missing("start"),
    act: () => missing("act"),
    followTasks: still,
    followEvents: still,
  };
}

/** What the page was given to show, if it is a report. */
export function readReport(): ReportData | undefined {
  const text = document.getElementById("report")?.textContent?.trim();
  return text ? parseClean<ReportData>(text) : undefined;
}

import type { OpenIssue } from "../compose/backlog-standing.ts";
import { queueOf, standingOf } from "../compose/status.ts";
import type { BacklogView } from "../model/dashboard.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { TaskList } from "./task-list.ts";
import { backlogView } from "./views/backlog.ts";

/** A tracker on the network must not be asked at every look. */
const FRESH_MILLISECONDS = 20_000;
const PATIENCE_MILLISECONDS = 5_000;

/** Reads how the backlog of a project stands. Where its tracker cannot be reached, the issues that were begun are shown. */
export class BacklogSource {
  readonly #directory: string;
  #open: { at: number; issues: Promise<OpenIssue[]> } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async view(list: TaskList, texts: Texts): Promise<BacklogView> {
    const [queue, standing, open] = await Promise.all([
      queueOf(this.#directory),
      standingOf(this.#directory),
      this.#issues(),
    ]);
    const ids = [...queue.values()].flatMap(({ turns }) => turns.map(({ task_id }) => task_id));
    const rows = new Map((await list.rows(texts.language, ids)).map((row) => [row.task_id, row]));
    return backlogView({ queue, standing, open, rows }, texts);
  }

  #issues(): Promise<OpenIssue[]> {
    if (this.#open && Date.now() - this.#open.at < FRESH_MILLISECONDS) return this.#open.issues;
    const issues = listed(this.#directory).catch(() => []);
    this.#open = { at: Date.now(), issues };
    return issues;
  }
}

/** Many a project has no backlog, and then nothing of trackers is loaded. */
async function listed(directory: string): Promise<OpenIssue[]> {
  const { openIssues } = await import("../compose/backlog-standing.ts");
  return openIssues(directory, AbortSignal.timeout(PATIENCE_MILLISECONDS));
}

import type {
  ActionOutcome,
  BacklogView,
  CellEvidence,
  DashboardAction,
  DashboardSession,
  DashboardTask,
  DiffView,
  KnowledgeView,
  ListChange,
  StreamedEvent,
  TaskRow,
  TaskView,
} from "../../src/model/dashboard.ts";

/** Which task of which project. */
export interface TaskKey {
  project: string;
  task_id: string;
}

export interface Problem {
  code: string;
  message: string;
  hint?: string;
}

/** Where the page has its data from: a server, or the report that it stands in. */
export interface Source {
  is_live: boolean;
  /** Of a report. */
  made_at?: string;
  session: () => Promise<DashboardSession>;
  tasks: () => Promise<TaskRow[]>;
  task: (key: TaskKey) => Promise<TaskView>;
  evidence: (key: TaskKey, cell: { iteration: number; id: number }) => Promise<CellEvidence>;
  diff: (key: TaskKey, span: { from: number; to: number }) => Promise<DiffView>;
  knowledge: (key: TaskKey) => Promise<KnowledgeView>;
  backlog: (project: string) => Promise<BacklogView>;
  start: (task: DashboardTask) => Promise<ActionOutcome>;
  act: (key: TaskKey, action: DashboardAction) => Promise<ActionOutcome>;
  /** Both call until they are stopped. `again`: something may have been missed, so that the whole list is to be loaded. */
  followTasks: (changed: (changes: ListChange[]) => void, again: () => void) => Stop;
  followEvents: (key: TaskKey, after: number, happened: (events: StreamedEvent[]) => void) => Stop;
}

export type Stop = () => void;

export function keyOf({ project, task_id }: TaskKey): string {
  return `${project}/${task_id}`;
}

export class Failed extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** No server is there; as soon as one is, it may answer. */
export const UNREACHABLE = "unreachable";

export function problemOf(error: unknown): Problem {
  if (error instanceof Failed) return error.problem;
  return { code: "unknown", message: error instanceof Error ? error.message : String(error) };
}

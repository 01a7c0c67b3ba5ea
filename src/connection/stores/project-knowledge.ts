import { resolve } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { notice } from "../../model/notices.ts";
import { Knowledge, type KnowledgeDraft } from "../../model/roles.ts";
import { fileProblem } from "./faults.ts";
import { type ReportNotice, readRecords } from "./json-lines.ts";
import { byWorth, fits, type KnowledgeFilter, merged } from "./knowledge-merge.ts";
import { matching } from "./knowledge-ranking.ts";
import { appendShared } from "./shared-file.ts";
import { listTasks, openTask, requireProject } from "./task-directory.ts";
import { projectKnowledge, taskDirectoryOf, taskPaths } from "./task-paths.ts";

export interface KnowledgeRequest extends KnowledgeFilter {
  project: string;
  /** Only what this task has learned; all tasks and the project's own where absent. */
  task?: string | undefined;
  /** Takes which files could not be read: one broken task keeps nobody from what the others know. */
  report: ReportNotice;
}

/** What is known, each thing once, the surest and youngest first. */
export async function listKnowledge(request: KnowledgeRequest): Promise<Knowledge[]> {
  const known = merged(await entriesOf(resolve(request.project), request));
  return [...known.values()].filter((entry) => fits(entry, request)).sort(byWorth);
}

/** What has to do with the text, best first. */
export async function searchKnowledge(request: KnowledgeRequest, text: string, size: number): Promise<Knowledge[]> {
  return matching(await listKnowledge(request), text, size);
}

/** Who a user's own knowledge is said to come from. */
const USER = "user";

/** Adds to the project's knowledge. Needs no lock: running tasks add to it in the same way. */
export async function addKnowledge(directory: string, draft: KnowledgeDraft, now: Date): Promise<Knowledge> {
  const project = resolve(directory);
  await requireProject(project);
  const entry = Knowledge.parse({ ...draft, source_task: USER, created_at: now.toISOString() });
  await appendShared(projectKnowledge(project), [entry]);
  return entry;
}

async function entriesOf(project: string, { task, report }: KnowledgeRequest): Promise<Knowledge[]> {
  const paths =
    task === undefined ? await allPaths(project) : [taskPaths((await openTask(project, task)).path).knowledge];
  const entries: Knowledge[] = [];
  for (const path of paths) {
    try {
      for await (const entry of readRecords(path, Knowledge, () => {})) entries.push(entry);
    } catch (error) {
      if (task !== undefined || !(error instanceof E8Error)) throw error;
      report(notice("file_left_out", { file: path, problem: fileProblem(error.cause) }));
    }
  }
  return entries;
}

async function allPaths(project: string): Promise<string[]> {
  const ids = await listTasks(project);
  return [projectKnowledge(project), ...ids.map((id) => taskPaths(taskDirectoryOf(project, id)).knowledge)];
}

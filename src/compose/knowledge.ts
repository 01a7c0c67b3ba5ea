import { systemClock } from "../connection/clock.ts";
import type { KnowledgeRequest as StoreRequest } from "../connection/ports/task-store.ts";
import { matching } from "../connection/stores/knowledge-ranking.ts";
import type { Knowledge, KnowledgeDraft } from "../model/roles.ts";
import { databaseOf, findTask, storeOf } from "./store.ts";

export interface KnowledgeRequest extends StoreRequest {
  project: string;
}

export function learn(project: string, draft: KnowledgeDraft): Promise<Knowledge> {
  return storeOf(project).addKnowledge(draft, systemClock.now());
}

/** Where the project's knowledge is, for people. */
export function knowledgePlace(project: string): string {
  return databaseOf(project)?.part.database.address.name ?? ".e8/knowledge.jsonl";
}

export async function listKnowledge({ project, task, ...request }: KnowledgeRequest): Promise<Knowledge[]> {
  const id = task === undefined ? undefined : await findTask(project, task);
  return storeOf(project).knowledge({ ...request, task: id });
}

/** The entries that match the text, best first. */
export async function searchKnowledge(request: KnowledgeRequest, text: string, size: number): Promise<Knowledge[]> {
  return matching(await listKnowledge(request), text, size);
}

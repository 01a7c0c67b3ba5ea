import { systemClock } from "../connection/clock.ts";
import type { KnowledgeRequest as StoreRequest } from "../connection/ports/task-store.ts";
import { matching } from "../connection/stores/knowledge-ranking.ts";
import type { Knowledge, KnowledgeDraft } from "../model/roles.ts";
import { storeOf } from "./store.ts";

export interface KnowledgeRequest extends StoreRequest {
  project: string;
}

export function learn(project: string, draft: KnowledgeDraft): Promise<Knowledge> {
  return storeOf(project).addKnowledge(draft, systemClock.now());
}

export function listKnowledge({ project, ...request }: KnowledgeRequest): Promise<Knowledge[]> {
  return storeOf(project).knowledge(request);
}

/** The entries that match the text, best first. */
export async function searchKnowledge(request: KnowledgeRequest, text: string, size: number): Promise<Knowledge[]> {
  return matching(await listKnowledge(request), text, size);
}

import { systemClock } from "../connection/clock.ts";
import { addKnowledge } from "../connection/stores/files/project-knowledge.ts";
import type { Knowledge, KnowledgeDraft } from "../model/roles.ts";

export async function learn(project: string, draft: KnowledgeDraft): Promise<Knowledge> {
  return addKnowledge(project, draft, systemClock.now());
}

export { type KnowledgeRequest, listKnowledge, searchKnowledge } from "../connection/stores/files/project-knowledge.ts";

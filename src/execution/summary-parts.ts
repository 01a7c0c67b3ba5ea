import type { AgentReply } from "../model/agent.ts";
import { MOST_LISTED } from "../model/limits.ts";
import type { ExecutionSummary } from "../model/records.ts";
import type { Knowledge, KnowledgeDraft } from "../model/roles.ts";
import type { RunContext } from "./run-context.ts";

/** Of the task that knowledge came from. */
const SOURCE_CHARACTERS = 500;

type Metadata = ExecutionSummary["metadata"];

/** The mechanical facts of a summary: from the agent's stream and the file system, never from a model. */
export function metadataOf(reply: AgentReply, more: Pick<Metadata, "error_type" | "strategy_tags">): Metadata {
  return {
    tools_used: reply.tools_used.slice(0, MOST_LISTED),
    files_modified: reply.files_modified.slice(0, MOST_LISTED),
    tokens_used: reply.usage.tokens,
    ...more,
    ...(reply.tools_denied && { tools_denied: reply.tools_denied.slice(0, MOST_LISTED) }),
  };
}

/** Keeps what was learned, or returns what is in the way of it: the work itself is recorded all the same. */
export async function learn(context: RunContext, drafts: readonly KnowledgeDraft[]): Promise<unknown> {
  try {
    await context.ports.knowledge.add(drafts.map((draft) => knowledgeFrom(draft, context)));
    return undefined;
  } catch (trouble) {
    return trouble;
  }
}

/** What was learned, as it is stored. */
function knowledgeFrom(draft: KnowledgeDraft, { configuration, ports }: RunContext): Knowledge {
  return {
    ...draft,
    source_task: configuration.task.slice(0, SOURCE_CHARACTERS),
    applied_count: 0,
    created_at: ports.clock.now().toISOString(),
  };
}

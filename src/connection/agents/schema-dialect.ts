import type { JsonSchema } from "../../model/agent.ts";

/** Claude Code and some servers refuse a schema that names the dialect it is written in. */
export function withoutDialect({ $schema: _, ...schema }: JsonSchema): Record<string, unknown> {
  return schema;
}

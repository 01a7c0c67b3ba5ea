import type { Ability } from "../../model/abilities.ts";

/** Read after "can" and "cannot". */
export const enAbilities: Readonly<Record<Ability, string>> = {
  structured_answers: "give an answer of a given form",
  reports_tokens: "report all its tokens",
  reports_cost: "report its cost",
  priced_by_tokens: "have its cost worked out from `prices`",
  tells_limits: "say when its account is used up",
  withholds_tools: "be kept from every forbidden tool call",
  takes_servers: "use the MCP servers of a task",
  takes_skills: "use the skills of a task",
  takes_claude_setup: "use .claude/skills and the MCP servers that are set up in Claude Code",
  takes_permissions: "have what it asks for decided by allowed_tools and permission_mode",
  limits_turns: "stop after the turns of claude_options.max_turns",
  shows_calls: "show its tool calls as they happen",
  changes_seen: "have the files that it changes seen",
  ends_in_time: "be ended after a time, or after a time of silence",
  ends_whole: "be cancelled, with all that it has started",
  raw_log: "be logged word for word",
  in_sandbox: "work in the sandbox",
  opened_in_strict: "write its own folders and reach its model's hosts in the strict sandbox",
  fresh_context: "start every answer with a fresh context",
  all_roles: "answer in the roles around the worker",
};

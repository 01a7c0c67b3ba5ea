import type { Ability } from "../../model/abilities.ts";

/** Read after "can" and "cannot". */
export const enAbilities: Readonly<Record<Ability, string>> = {
  structured_answers: "give an answer of a given form",
  reports_tokens: "report all its tokens",
  reports_cost: "report its cost",
  tells_limits: "say when its account is used up",
  withholds_tools: "be kept from every forbidden tool call",
  takes_servers: "use the MCP servers of a task",
  takes_skills: "use the skills of a task",
  fresh_context: "start every answer with a fresh context",
  all_roles: "answer in the roles around the worker",
};

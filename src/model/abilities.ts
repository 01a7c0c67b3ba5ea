/** What a kind of agent can do or not do, by code. */
export type Ability =
  | "structured_answers"
  | "reports_tokens"
  | "reports_cost"
  | "tells_limits"
  | "withholds_tools"
  | "takes_servers"
  | "takes_skills"
  | "fresh_context"
  | "all_roles";

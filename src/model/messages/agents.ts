/** What agents, their models and their programs did, or could not do. */
export interface AgentMessages {
  agent_unfit_for_flow: object;
}

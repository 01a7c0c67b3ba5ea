import type { AgentChoice } from "./configuration.ts";

/** An agent as `--agent` names it: `claude`, `command:my-agent`. */
export function spelledAgent(choice: AgentChoice): string {
  if (typeof choice === "string") return choice;
  return Object.entries(choice)
    .map(([name, value]: [string, unknown]) => `${name}:${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** `command:my-agent` is what a file has as `{ command: my-agent }`. Whether there is such an agent is not known here. */
export function agentFrom(spelled: unknown): unknown {
  const [, name, argument] = (typeof spelled === "string" && /^(\w+):(.+)$/s.exec(spelled)) || [];
  return name === undefined ? spelled : { [name]: argument };
}

import type { AgentChoice } from "./configuration.ts";

/** An agent as `--agent` names it: `claude`, `command:my-agent`. Settings that it has besides stand behind its program. */
export function spelledAgent(choice: AgentChoice): string {
  if (typeof choice === "string") return choice;
  const [[name, argument] = ["", ""]] = Object.entries(choice);
  if (typeof argument === "string") return `${name}:${argument}`;
  const { command, ...others } = argument;
  const program = Array.isArray(command) ? command.join(" ") : String(command ?? "");
  const settings = Object.keys(others).length > 0 ? [JSON.stringify(others)] : [];
  return [`${name}:${program}`, ...settings].join(" ");
}

/** `command:my-agent` is what a file has as `{ command: my-agent }`. Whether there is such an agent is not known here. */
export function agentFrom(spelled: unknown): unknown {
  const [, name, argument] = (typeof spelled === "string" && /^(\w+):(.+)$/s.exec(spelled)) || [];
  return name === undefined ? spelled : { [name]: argument };
}

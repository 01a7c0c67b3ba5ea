import type { AgentChoice, Configuration } from "../../model/configuration.ts";
import { isRecord } from "../../model/json.ts";
import type { Task } from "../../model/task.ts";
import { everyWorkerOf } from "../../model/workers.ts";

/** A program that a task has run outside of an agent's tools, or an agent's own program. */
export interface NamedProgram {
  /** The key that names it. */
  key: string;
  command: string;
}

/** Every command line in a task. */
export function programsOf({ configuration }: Pick<Task, "configuration">): NamedProgram[] {
  const { criteria, setup, worktree, mcp_servers, claude_options, notify } = configuration;
  const given = (key: string, command: unknown) => (typeof command === "string" ? [{ key, command }] : []);
  return [
    ...criteria.flatMap((one) => (one.type === "command" ? given("criteria", one.command) : [])),
    ...setup.flatMap((command) => given("setup", command)),
    ...given("worktree.setup", worktree.setup),
    ...given("notify.command", notify.command),
    ...given("notify.on_end", notify.on_end),
    ...given("claude_options.executable", claude_options.executable),
    ...Object.values(mcp_servers).flatMap((server) =>
      server !== true && "command" in server
        ? given("mcp_servers", [server.command, ...(server.args ?? [])].join(" "))
        : [],
    ),
    ...everyWorkerOf(configuration).flatMap(({ agent }) => given("agent", commandOf(agent))),
  ];
}

/** The names of all agents that may work. */
export function agentsOf(configuration: Configuration): string[] {
  const names = everyWorkerOf(configuration).map(({ agent }) =>
    typeof agent === "string" ? agent : (Object.keys(agent)[0] ?? ""),
  );
  return [...new Set(names)];
}

function commandOf(agent: AgentChoice): string | undefined {
  if (typeof agent === "string") return undefined;
  const [value] = Object.values(agent);
  const command = isRecord(value) ? value.command : value;
  return Array.isArray(command) ? command.join(" ") : typeof command === "string" ? command : undefined;
}

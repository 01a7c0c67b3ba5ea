/** Tools that make no sense in an answer that ends with its process, or that would move the work elsewhere. */
const SENSELESS_TOOLS = ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "EnterWorktree", "ExitWorktree"];

/** Permission rules as Claude Code takes them: it knows `mcp__server__*`, but no `*` for the server itself. */
export function allowedRules(allowed: readonly string[], servers: readonly string[]): string[] {
  const everyServer = servers.map((name) => `mcp__${ruleName(name)}`);
  return [...new Set(allowed.flatMap((rule) => (/^mcp__\*?(__\*)?$|^mcp__$/.test(rule) ? everyServer : [rule])))];
}

/** Keeps the executor's file tools out of the records of its own work. */
export function deniedRules(project: string, allowed: readonly string[]): string[] {
  const records = `/${rulePath(project)}/.e8/**`;
  const senseless = SENSELESS_TOOLS.filter((tool) => !allowed.includes(tool));
  return [`Read(${records})`, `Edit(${records})`, ...senseless];
}

/** Characters that mean something in a rule cannot all be escaped there; `?` stands for any one character. */
function rulePath(path: string): string {
  return path.replace(/[\\*?[\](){}!#$,]/g, "?");
}

/** How Claude Code spells a server's name in the names of its tools. */
function ruleName(server: string): string {
  return server.replace(/[^a-zA-Z0-9_-]/g, "_");
}

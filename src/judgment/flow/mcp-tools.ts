const SUBJECTS = words(
  "issue issues pr prs pull pulls release releases label labels milestone milestones review reviews",
);
const READS = words("get list search read view fetch find show download describe count check status diff");
const WRITES =
  words(`close reopen update edit create add remove delete merge lock unlock write set submit request assign
  unassign dismiss publish transfer convert mark approve resolve reply comment post patch put open push enable disable`);
const FILES = words("file files directory directories folder notebook");

/** What an MCP tool would do to issues, pull requests or releases, by its name; undefined when it only reads or is about something else. */
export function mcpEffect(tool: string): string | undefined {
  const name = parts(tool);
  if (!name.some((part) => SUBJECTS.has(part))) return undefined;
  const writes = name.some((part) => WRITES.has(part));
  return !writes && name.some((part) => READS.has(part)) ? undefined : tool;
}

export function mcpWritesFiles(tool: string): boolean {
  const name = parts(tool);
  const changes = name.some((part) => WRITES.has(part) || part === "move" || part === "rename");
  return changes && name.some((part) => FILES.has(part));
}

/** The words of `mcp__server__tool_name`'s last part; none for tools that are not behind MCP. */
function parts(tool: string): string[] {
  if (!tool.startsWith("mcp__")) return [];
  const name = tool.slice(tool.lastIndexOf("__") + 2);
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/(?:pull|merge)_requests?/g, "pr")
    .split(/[^a-z0-9]+/);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

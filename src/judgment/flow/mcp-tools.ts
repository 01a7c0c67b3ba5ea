const SUBJECTS = words(
  "issue issues pr prs pull pulls release releases label labels milestone milestones review reviews",
);
const READS = words("get list search read view fetch find show download describe count check status diff");
const WRITES =
  words(`close reopen update edit create add remove delete merge lock unlock write set submit request assign
  unassign dismiss publish transfer convert mark approve resolve reply comment post patch put open push enable disable`);
const FILES = words("file files directory directories folder notebook");

/** Whether an MCP tool would change issues, pull requests or releases, judged by its name. */
export function changesBoundary(tool: string): boolean {
  const name = parts(tool);
  if (!name.some((part) => SUBJECTS.has(part))) return false;
  return name.some((part) => WRITES.has(part)) || !name.some((part) => READS.has(part));
}

export function writesFiles(tool: string): boolean {
  const name = parts(tool);
  const changes = name.some((part) => WRITES.has(part) || part === "move" || part === "rename");
  return changes && name.some((part) => FILES.has(part));
}

/** The words of a name such as `close_issue`. */
function parts(tool: string): string[] {
  return tool
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/(?:pull|merge)_requests?/g, "pr")
    .split(/[^a-z0-9]+/);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

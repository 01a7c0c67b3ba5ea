import type { ToolCall, ToolPolicy } from "../../model/agent.ts";
import type { StepKind } from "../../model/flow/steps-registry.ts";
import { message, type Statement } from "../../model/message.ts";
import { sparesRecords } from "../records-policy.ts";
import { boundaryEffect, trackerFile } from "../shell/boundary-commands.ts";
import { callsIn, names } from "../shell/calls.ts";
import { fileWrite } from "../shell/file-writes.ts";

/**
 * Which tool calls a step of this kind must not make. Issues, pull requests and releases are changed by the boundary hook
 * alone; a verification step must not write files either; and no step may remove the records.
 */
export function toolPolicy(stepKind: StepKind): ToolPolicy {
  return (call) => {
    const effect = boundary(call);
    if (effect) return message("not_for_step", { what: effect });
    const write = stepKind === "verification" ? writing(call) : undefined;
    return write ? message("not_for_verification", { what: write }) : sparesRecords(call);
  };
}

function boundary({ writes, remote, name, scripts }: ToolCall): Statement | undefined {
  const written = writes.map(trackerFile).find(Boolean);
  if (writes.length > 0) return written;
  return (
    (remote !== undefined && changesBoundary(remote) ? name : undefined) ?? scripts.map(boundaryEffect).find(Boolean)
  );
}

function writing({ name, writes, remote, scripts }: ToolCall): string | undefined {
  if (writes.length > 0 || (remote !== undefined && writesFiles(remote))) return name;
  return fileWrite(scripts.flatMap(callsIn));
}

const SUBJECTS = names(
  "issue issues pr prs pull pulls release releases label labels milestone milestones review reviews",
);
const READS = names("get list search read view fetch find show download describe count check status diff");
const WRITES =
  names(`close reopen update edit create add remove delete merge lock unlock write set submit request assign
  unassign dismiss publish transfer convert mark approve resolve reply comment post patch put open push enable disable`);
const FILES = names("file files directory directories folder notebook");

/** Whether an MCP tool would change issues, pull requests or releases, judged by its name. */
function changesBoundary(tool: string): boolean {
  const name = parts(tool);
  if (!name.some((part) => SUBJECTS.has(part))) return false;
  return name.some((part) => WRITES.has(part)) || !name.some((part) => READS.has(part));
}

function writesFiles(tool: string): boolean {
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

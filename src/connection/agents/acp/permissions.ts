import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { PermissionOption, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { Assignment, ToolCall, ToolPolicy } from "../../../model/agent.ts";
import { problemOf } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";
import { denialOf } from "../claude/permission-rules.ts";
import { reasonAgainstReading } from "../claude/reading.ts";
import { serverRule } from "../claude/tools.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { ReadCall } from "./tools.ts";

type Rules = Pick<
  AcpAgentOptions,
  "allowed_tools" | "permission_mode" | "project" | "working_directory" | "mcp_servers"
>;

/** Why a call that the agent asks about must not happen; undefined where it may. */
export function reasonAgainst(call: ReadCall, rules: Rules, assignment: Assignment): Statement | undefined {
  if (assignment.role !== "executor") return againstAnswering(call, assignment.reads);
  return againstPolicy(call, assignment.forbids) ?? againstRules(call, rules, assignment.access);
}

/** A role answers a question. Where it may read files, it reads below one directory. */
function againstAnswering({ tool, reads }: ReadCall, directory: string | undefined): Statement | undefined {
  if (directory === undefined) return message("reading_only", { tool });
  const against = (path: string) => reasonAgainstReading(directory, tool, { path });
  return [...(reads.length > 0 ? reads : [""])].map(against).find((reason) => reason !== undefined);
}

function againstPolicy(call: ReadCall, forbids: ToolPolicy | undefined): Statement | undefined {
  try {
    return forbids?.(policyCall(call));
  } catch (error) {
    return message("policy_undecided", { problem: problemOf(error) });
  }
}

function policyCall({ tool, writes, scripts, is_other }: ReadCall): ToolCall {
  const remote = is_other ? (/^mcp__.*__(.+)$/.exec(tool)?.[1] ?? tool) : undefined;
  return { name: tool, writes, scripts, ...(remote !== undefined && { remote }) };
}

/** The rules are spelled as for Claude Code, and mean the same. */
function againstRules(call: ReadCall, rules: Rules, access: string | undefined): Statement | undefined {
  const { tool, is_other } = call;
  if (HARMLESS.includes(tool) || (is_other && isOfServer(tool, rules))) return undefined;
  const permission_mode = access ?? rules.permission_mode;
  const denied = callsIn(call).some((one) => denialOf(one, { ...rules, permission_mode }) !== undefined);
  return denied ? message("denied_by_settings", {}) : undefined;
}

const HARMLESS = ["Think", "SwitchMode"];

/** One call for each file, as the rules see them. */
function callsIn({ tool, writes, reads, scripts }: ReadCall): { name: string; input: unknown }[] {
  if (scripts.length > 0) return scripts.map((command) => ({ name: "Bash", input: { command } }));
  if (writes.length > 0)
    return writes.map((file_path) => ({ name: tool === "Write" ? "Write" : "Edit", input: { file_path } }));
  if (WRITERS.includes(tool)) return [{ name: "Edit", input: { file_path: "" } }];
  if (reads.length > 0) return reads.map((file_path) => ({ name: "Read", input: { file_path } }));
  return [{ name: tool, input: {} }];
}

const WRITERS = ["Write", "Edit", "Delete", "Move"];

/** Agents spell the tools of a server in their own ways; all of them name the server. */
function isOfServer(tool: string, { mcp_servers, allowed_tools }: Rules): boolean {
  const named = Object.keys(mcp_servers).some((server) => tool.includes(server) || tool.includes(serverRule(server)));
  return named || allowed_tools.some((rule) => rule.startsWith("mcp__") && tool.startsWith(rule.replace(/\*$/, "")));
}

/** The agent's own answer that comes closest to ours. */
export function chosenOption(options: readonly PermissionOption[], isAllowed: boolean): RequestPermissionResponse {
  const kinds = isAllowed ? ALLOWING : REJECTING;
  const option = kinds.flatMap((kind) => options.filter((one) => one.kind === kind))[0];
  return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
}

/** Once, where that is possible: the next call is looked at again. */
const ALLOWING = ["allow_once", "allow_always"] as const;
const REJECTING = ["reject_once", "reject_always"] as const;

/** The file that an agent asks us to write, or why it must not be written: links are followed first. */
export function writablePath(path: string, working_directory: string): string | Statement {
  const wanted = realPath(resolve(working_directory, path));
  const inside = relative(realPath(working_directory), wanted);
  const isInside = inside !== "" && !isAbsolute(inside) && !/^\.\.(\/|$)/.test(inside);
  return isInside && !RECORDS.test(inside) ? wanted : message("acp_write_outside", { path });
}

const RECORDS = /(^|\/)\.(e8|git)(\/|$)/;

/** Of a file that is not there, the path that it would have. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

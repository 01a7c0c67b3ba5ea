import type { CompletionConfig, ResourceType } from "../../../model/flow/agent-file.ts";
import type { CompletionConfigJson } from "../../../model/flow/agent-json.ts";
import { message } from "../../../model/message.ts";
import type { Place, Report } from "../report.ts";
import { normalized } from "../schema/pointer.ts";

/** The names that published definitions use for a resource, and the parameters that may identify it. */
const RESOURCES = {
  issue: { names: ["issue", "github-issue"], parameters: ["issue", "issueNumber", "issue_number"] },
  pr: { names: ["pr", "github-pr", "pull-request"], parameters: ["pr", "prNumber", "pr_number"] },
  file: { names: ["file"], parameters: ["file", "path"] },
  command: { names: ["command"], parameters: ["command"] },
} as const satisfies Record<ResourceType, object>;

/** The resource whose state ends the flow: by default an issue; identified by a parameter or by the definition itself. */
export function readResource(
  json: CompletionConfigJson,
  path: readonly PropertyKey[],
  context: CompletionContext,
): CompletionConfig {
  const resourceType = resourceOf(json.resourceType ?? "issue");
  if (!resourceType) {
    const problem = message("resource_unwatchable", { resource: json.resourceType ?? "" });
    const allowed = message("value_choices", { choices: Object.keys(RESOURCES) });
    context.report.add("AGENT_VALUE_INVALID", context.place([...path, "resourceType"]), { problem, allowed });
    return {};
  }
  const fixed = fixedResource(json, resourceType);
  const resourceParam = fixed ? undefined : parameterFor(json, resourceType, context);
  if (!fixed && resourceParam === undefined) {
    context.report.add("AGENT_COMPLETION_RESOURCE", context.place(path), { resource: json.issueParam ?? resourceType });
  }
  return {
    resourceType,
    ...(json.targetState !== undefined && { targetState: json.targetState }),
    ...(resourceParam !== undefined && { resourceParam }),
    ...fixed,
  };
}

function resourceOf(name: string): ResourceType | undefined {
  const plain = name.toLowerCase().replaceAll("_", "-");
  return (Object.keys(RESOURCES) as ResourceType[]).find((resource) =>
    (RESOURCES[resource].names as readonly string[]).includes(plain),
  );
}

function fixedResource({ path, command }: CompletionConfigJson, resource: ResourceType): CompletionConfig | undefined {
  if (resource === "file" && path !== undefined) return { path };
  return resource === "command" && command !== undefined ? { command } : undefined;
}

function parameterFor(
  json: CompletionConfigJson,
  resource: ResourceType,
  { parameters }: CompletionContext,
): string | undefined {
  const names: readonly string[] = json.issueParam ? [json.issueParam] : RESOURCES[resource].parameters;
  return names.find((name) => parameters.includes(name));
}

/** A handler inside the flow's directory must exist. Others are looked for when they are loaded. */
export function checkHandler(
  path: string | undefined,
  { files, report }: Pick<CompletionContext, "files" | "report">,
  place: Place,
): void {
  if (path === undefined || /^(\/|\.\.)/.test(path) || files.has(normalized(path))) return;
  report.add("AGENT_HANDLER_MISSING", place, { path });
}

/** Everything that reading a completion needs besides its JSON. */
export interface CompletionContext {
  report: Report;
  files: ReadonlyMap<string, string>;
  /** Names of the agent's parameters. */
  parameters: readonly string[];
  place(path: readonly PropertyKey[]): Place;
}

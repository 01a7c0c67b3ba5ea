import type { Place } from "../../connection/ports/workspace.ts";
import type { ExternalState } from "../../judgment/flow/completion.ts";
import { isTrackerQuestion } from "../../judgment/shell/boundary-commands.ts";
import { E8Error } from "../../model/errors.ts";
import type { CompletionConfig } from "../../model/flow/agent-file.ts";
import type { TrackedItem } from "../../model/issue.ts";
import { message } from "../../model/message.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";

/** The state of an issue, a pull request, a file or a command, as one word. A parameter names it, unless the definition does. */
export async function externalStateOf(
  context: RunContext,
  run: FlowRun,
  config: CompletionConfig,
  place?: Place,
): Promise<ExternalState> {
  const tracked = trackedBy(run, config);
  if (tracked) {
    const { state } = await run.tracker.get(tracked.kind, tracked.number, context.signal);
    return { state, name: String(tracked.number) };
  }
  const { resource, named } = resourceOf(run, config);
  const isFile = resource === "file";
  const name = String((isFile ? config.path : config.command) ?? named ?? "");
  const { exit_code } = await context.ports.commands.run(
    {
      command: isFile ? 'test -e "$1"' : name,
      arguments: [name],
      timeout_seconds: context.configuration.command_timeout,
      pipefail: false,
      ...(place && { place }),
      ...(!isFile && isTrackerQuestion(name) && { runs_as: "user" }),
    },
    context.signal,
  );
  haltIfAborted(context.signal);
  const [reached, other] = isFile ? ["EXISTS", "MISSING"] : ["PASSED", "FAILED"];
  return { state: exit_code === 0 ? reached : other, name };
}

/** The issue or pull request that is waited for; undefined for a file or a command. */
export function trackedBy(run: FlowRun, config: CompletionConfig): Pick<TrackedItem, "kind" | "number"> | undefined {
  const { resource: kind, name } = resourceOf(run, config);
  return kind === "issue" || kind === "pr" ? { kind, number: numberIn(run, name) } : undefined;
}

/** The number of an issue or a pull request. Throws for anything else. */
export function numberIn({ definition, parameters }: FlowRun, name: string): number {
  const value = parameters[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number > 0) return number;
  const flag = definition.agent.parameters[name]?.cli ?? name;
  throw new E8Error("parameter_invalid", {
    flag,
    problem: isGiven(value)
      ? message("parameter_not_number", { value: JSON.stringify(value) })
      : message("parameter_number_missing", {}),
    agent: definition.agent.name,
  });
}

/** Whether a clean checkout can answer it: a file or a command. */
export function isOfFiles({ resourceType }: CompletionConfig): boolean {
  return resourceType === "file" || resourceType === "command";
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "";
}

function resourceOf({ parameters }: FlowRun, { resourceType: resource = "issue", resourceParam }: CompletionConfig) {
  const name = resourceParam ?? resource;
  return { resource, name, named: parameters[name] };
}

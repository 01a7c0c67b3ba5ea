import type { TrackedItem } from "../../connection/ports.ts";
import type { CompletionConfig } from "../../model/definition/agent-file.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";

/** The state of an issue, a pull request, a file or a command, as one word. A parameter says which one, unless the definition does. */
export async function externalStateOf(context: RunContext, run: FlowRun, config: CompletionConfig): Promise<string> {
  const tracked = trackedBy(run, config);
  if (tracked) return (await run.tracker.get(tracked.kind, tracked.number, context.signal)).state;
  const { resource, named } = resourceOf(run, config);
  const isFile = resource === "file";
  const subject = String((isFile ? config.path : config.command) ?? named ?? "");
  const { exit_code } = await context.ports.commands.run(
    {
      command: isFile ? 'test -e "$1"' : subject,
      arguments: [subject],
      timeout_seconds: context.configuration.command_timeout,
      pipefail: false,
    },
    context.signal,
  );
  haltIfAborted(context.signal);
  if (isFile) return exit_code === 0 ? "EXISTS" : "MISSING";
  return exit_code === 0 ? "PASSED" : "FAILED";
}

/** The issue or pull request that is waited for; undefined where it is something else. */
export function trackedBy(run: FlowRun, config: CompletionConfig): Pick<TrackedItem, "kind" | "number"> | undefined {
  const { resource: kind, named } = resourceOf(run, config);
  return kind === "issue" || kind === "pr" ? { kind, number: Number(named) } : undefined;
}

function resourceOf({ parameters }: FlowRun, { resourceType: resource = "issue", resourceParam }: CompletionConfig) {
  return { resource, named: parameters[resourceParam ?? resource] };
}

import type { CompletionConfig } from "../../model/definition/agent-file.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import type { FlowRun } from "./flow-run.ts";

/** The state of an issue, a pull request, a file or a command, as one word. A parameter says which one, unless the definition does. */
export async function externalStateOf(context: RunContext, run: FlowRun, config: CompletionConfig): Promise<string> {
  const resource = config.resourceType ?? "issue";
  const named = run.parameters[config.resourceParam ?? resource];
  if (/issue/i.test(resource))
    return (await run.tracker.get("issue", Number(named ?? run.parameters.issue ?? run.parameters.issueNumber))).state;
  if (/^pr$|pull/i.test(resource)) return (await run.tracker.get("pr", Number(named ?? run.parameters.pr))).state;
  const isFile = resource.toLowerCase() === "file";
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

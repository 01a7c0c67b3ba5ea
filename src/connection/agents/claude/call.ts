import type { Query, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Assignment } from "../../../model/agent.ts";
import { directoryProblem } from "../../commands/directories.ts";
import type { ClaudeAgentOptions } from "./configuration.ts";
import { prepareOptions } from "./options.ts";
import { type Denial, policyHooks } from "./policy.ts";
import { makePrivateDirectory } from "./private-directory.ts";
import { ClaudeProcess } from "./process.ts";

/** One started Claude Code. */
export interface Call {
  claude: ClaudeProcess;
  /** Its messages, to their end or until it is gone. Never throws: after an error result the SDK always does. */
  messages(): AsyncGenerator<SDKMessage>;
  /** What the SDK threw in the end, if it did. */
  thrown: unknown;
  /** MCP servers of the repository that were not started. */
  left_out: string[];
  /** Ends whatever is left of it. */
  close(): Promise<void>;
}

/** Starts Claude Code for an assignment. An error is something in the configuration that keeps it from starting. */
export async function startCall(
  options: ClaudeAgentOptions,
  assignment: Assignment,
  denied: (denial: Denial) => void,
): Promise<Call | Error> {
  try {
    const problem = await directoryProblem(options.working_directory);
    if (problem) return new Error(problem);
    const directory = await makePrivateDirectory(options);
    try {
      const { sdk, left_out } = await prepareOptions(options, assignment, directory);
      // Takes a third of a second, and a run of commands alone never needs it.
      const { query } = await import("@anthropic-ai/claude-agent-sdk");
      const claude = new ClaudeProcess(options.task_token);
      const policy = assignment.forbids && policyHooks(assignment.forbids, denied);
      const running = query({
        prompt: assignment.prompt,
        options: { ...sdk, ...policy, spawnClaudeCodeProcess: claude.spawn },
      });
      return callOf(running, claude, { left_out, cleanUp: directory.remove });
    } catch (error) {
      await directory.remove();
      throw error;
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function callOf(query: Query, claude: ClaudeProcess, rest: { left_out: string[]; cleanUp: () => Promise<void> }): Call {
  const call: Call = {
    claude,
    thrown: undefined,
    left_out: rest.left_out,
    async *messages() {
      try {
        for (;;) {
          const step = await Promise.race([query.next(), claude.gone]);
          if (!step || step.done) return;
          yield step.value;
        }
      } catch (error) {
        call.thrown = error;
      }
    },
    async close() {
      await claude.end();
      query.close();
      await rest.cleanUp();
    },
  };
  return call;
}

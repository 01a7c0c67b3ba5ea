import type { AgentFailure } from "../../model/agent.ts";
import type { CutReason } from "../commands/limits.ts";

export interface AgentLimits {
  timeout_seconds: number | null;
  silence_seconds: number | null;
}

/** The failure of an answer that we ended ourselves. */
export function cutFailure(reason: CutReason, { timeout_seconds, silence_seconds }: AgentLimits): AgentFailure {
  switch (reason) {
    case "timeout":
      return { code: "timeout", message: `it was still working after ${timeout_seconds} s` };
    case "silent":
      return { code: "silent", message: `it gave no sign of life for ${silence_seconds} s` };
    case "aborted":
      return { code: "crashed", message: "it was cancelled" };
  }
}

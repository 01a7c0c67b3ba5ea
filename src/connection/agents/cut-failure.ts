import type { AgentFailure } from "../../model/agent.ts";
import { message } from "../../model/message.ts";
import type { CutReason } from "../processes/limits.ts";

export interface AgentLimits {
  timeout_seconds: number | null;
  silence_seconds: number | null;
}

/** The failure of an answer that we ended ourselves. */
export function cutFailure(reason: CutReason, { timeout_seconds, silence_seconds }: AgentLimits): AgentFailure {
  switch (reason) {
    case "timeout":
      return { code: "timeout", message: message("agent_still_working", { seconds: timeout_seconds ?? 0 }) };
    case "silent":
      return { code: "silent", message: message("agent_silent", { seconds: silence_seconds ?? 0 }) };
    case "aborted":
      return { code: "crashed", message: message("cancelled", {}) };
  }
}

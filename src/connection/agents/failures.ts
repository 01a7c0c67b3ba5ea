import type { AgentFailure } from "../../model/agent.ts";
import { message } from "../../model/message.ts";
import type { CutReason } from "../processes/limits.ts";
import type { AgentSetup } from "./backend.ts";

type Limits = Pick<AgentSetup, "timeout_seconds" | "silence_seconds">;

/** The failure of an answer that we ended ourselves. */
export function cutFailure(reason: CutReason, { timeout_seconds, silence_seconds }: Limits): AgentFailure {
  switch (reason) {
    case "timeout":
      return { code: "timeout", message: message("agent_still_working", { seconds: timeout_seconds ?? 0 }) };
    case "silent":
      return { code: "silent", message: message("agent_silent", { seconds: silence_seconds ?? 0 }) };
    case "aborted":
      return { code: "crashed", message: message("cancelled", {}) };
  }
}

const LONGEST = 1000;

/** Another program's words, short enough for a record or a terminal. */
export function shortMessage(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

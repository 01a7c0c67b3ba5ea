import type { AgentFailure } from "../../model/agent.ts";
import type { Words } from "../../model/statement.ts";
import type { CutReason } from "../processes/limits.ts";

export interface AgentLimits {
  timeout_seconds: number | null;
  silence_seconds: number | null;
}

/** The failure of an answer that we ended ourselves. */
export function cutFailure(reason: CutReason, { timeout_seconds, silence_seconds }: AgentLimits): AgentFailure {
  switch (reason) {
    case "timeout":
      return { code: "timeout", message: stillWorking(timeout_seconds) };
    case "silent":
      return { code: "silent", message: wasSilent(silence_seconds) };
    case "aborted":
      return { code: "crashed", message: CANCELLED };
  }
}

function stillWorking(seconds: number | null): Words {
  return { en: `it was still working after ${seconds} s`, ja: `${seconds} 秒たっても終わりませんでした` };
}

function wasSilent(seconds: number | null): Words {
  return { en: `it gave no sign of life for ${seconds} s`, ja: `${seconds} 秒のあいだ何の反応もありませんでした` };
}

const CANCELLED: Words = { en: "it was cancelled", ja: "キャンセルされました" };

import { answer, scene } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene, Turn } from "../../src/connection/agents/scripted/model/story.ts";

/** Scenes that most stories need, with only what matters spelled out. */
export function accepts(...criteria: string[]): Scene {
  return scene("intake", answer({ status: "accepted", task: "", criteria, clarification_questions: [] }));
}

export function asks(...questions: { question: string; context?: string; suggested_answers?: string[] }[]): Scene {
  return scene(
    "intake",
    answer({ status: "needs_clarification", task: "", criteria: [], clarification_questions: questions }),
  );
}

/** The executor uses some tools and reports. */
export function works(output: string, ...turns: Turn[]): Scene {
  return scene("executor", ...turns, report(output));
}

export function report(output: string, status: "success" | "failure" = "success"): Turn {
  const semantic_metadata = { approach: `approach of: ${output}`, strategy_tags: ["test"], discoveries: [] };
  return answer({ status, output, artifacts: [], semantic_metadata });
}

export function summarizes(reason: string, more: Record<string, unknown> = {}): Scene {
  return scene("summarizer", answer({ approach: `summary of: ${reason}`, reason, ...more }));
}

export interface Word {
  id: number;
  criterion?: string;
  is_met: boolean;
  evidence?: string;
}

export function judges(is_complete: boolean, words: Word[], suggested_next_action?: string): Scene {
  const evaluations = words.map(({ id, criterion = `criterion ${id}`, is_met, evidence = "seen in the record" }) => ({
    id,
    criterion,
    is_met,
    evidence,
    confidence: 0.9,
  }));
  const overall_reason = is_complete ? "all is there" : "not all is there";
  return scene(
    "judge",
    answer({ is_complete, evaluations, overall_reason, ...(suggested_next_action && { suggested_next_action }) }),
  );
}

/** The same scene for every conversation that no other scene answers. */
export function always(one: Scene): Scene {
  return { ...one, repeat: true };
}

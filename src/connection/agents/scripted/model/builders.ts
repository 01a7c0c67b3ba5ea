import type { Fault, Scene, Story, Turn } from "./story.ts";

/** Words for stories written in TypeScript. A turn that needs more is plain data: `{ ...say("…"), delay_ms: 500 }`. */
export function story(...scenes: Scene[]): Story {
  return { scenes };
}

/** `scene("judge", …)` for a role or step; `scene({ who: "judge", repeat: true }, …)` for more. */
export function scene(who: string | Omit<Scene, "turns">, ...turns: Turn[]): Scene {
  return typeof who === "string" ? { who, turns } : { ...who, turns };
}

export function say(text: string): Turn {
  return { say: text };
}

export function use(tool: string, input: Record<string, unknown>): Turn {
  return { use: [{ tool, input }] };
}

export function answer(structured: Record<string, unknown>): Turn {
  return { answer: structured };
}

/** `fault(529)` for a status alone. */
export function fault(what: number | Fault): Turn {
  return { fault: typeof what === "number" ? { status: what } : what };
}

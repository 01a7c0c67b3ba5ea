import { answer, scene } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Scene, Story, Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import type { RunEvent } from "../../../src/model/events.ts";

/** A task that one check decides, with no model but the worker's. */
export function checkedTask(command: string, more: object = {}): object {
  const criteria = [{ type: "command", command }];
  return { task: "Do what is asked.", criteria, intake: false, review: false, models: { summarizer: "none" }, ...more };
}

export function storyOf(...scenes: Scene[]): Story {
  return { scenes, request_cap: 200 };
}

export function works(...turns: Turn[]): Scene {
  return scene("executor", ...turns, report());
}

export function report(output = "It is done."): Turn {
  return answer({ status: "success", output, artifacts: [] });
}

export function eventsOf<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** The end of what e8 said, for a cell of the table. */
export function lastWords(text: string): string {
  return text.trim().split("\n").slice(-3).join(" / ").slice(-300);
}

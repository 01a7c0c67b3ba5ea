import type { StreamedEvent } from "../../../src/model/dashboard.ts";

export const KINDS = ["all", "text", "tools", "steps"] as const;
export type Kind = (typeof KINDS)[number];

const TOOLS = new Set(["tool-call", "tool-denied"]);
/** Only their sums are of interest. */
const SILENT = new Set(["usage", "spent"]);

export function kindOf({ event }: StreamedEvent): Exclude<Kind, "all"> {
  if (event.type === "text") return "text";
  return TOOLS.has(event.type) ? "tools" : "steps";
}

export function isShown(streamed: StreamedEvent, kind: Kind): boolean {
  const { event, line } = streamed;
  if (SILENT.has(event.type) || (event.type !== "text" && !TOOLS.has(event.type) && !line)) return false;
  return kind === "all" || kind === kindOf(streamed);
}

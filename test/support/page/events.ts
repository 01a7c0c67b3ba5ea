import type { StreamedEvent } from "../../../src/model/dashboard.ts";
import { NOW } from "./runs.ts";

type Happened = StreamedEvent["event"];

const STORY: { event: Happened; line?: string }[] = [
  { event: { type: "phase-start", phase: "execute", iteration: 5 }, line: "working …" },
  {
    event: {
      type: "text",
      role: "executor",
      text: "The two tests that fail expect rounding by line. I look at how the invoice module does it.",
    },
  },
  { event: { type: "tool-call", role: "executor", tool: "Read", detail: "src/invoice.ts" } },
  { event: { type: "tool-call", role: "executor", tool: "Bash", detail: "npm test -- cart" } },
  { event: { type: "tool-denied", role: "executor", tool: "WebFetch", reason: "The sandbox has no network." } },
  { event: { type: "tool-call", role: "executor", tool: "Edit", detail: "src/cart.ts" } },
  { event: { type: "usage", role: "executor", usage: { tokens: 900, cost_usd: 0.01, seconds: 4 } } },
];

export function eventOf(seq: number, at = NOW - 60_000 + seq * 900): StreamedEvent {
  const told = STORY[seq % STORY.length] ?? STORY[0];
  return { seq, at: new Date(at).toISOString(), ...(told as { event: Happened; line?: string }) };
}

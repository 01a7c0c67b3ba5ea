import type { BacklogView, FlowGraph } from "../../../src/model/dashboard.ts";
import { PROJECT, rowOf } from "./runs.ts";

export const FLOW: FlowGraph = {
  name: "feature",
  entry: "plan",
  steps: [
    { id: "plan", name: "Plan", kind: "work" },
    { id: "build", name: "Build", kind: "work" },
    { id: "check", name: "Run the checks", kind: "verification" },
    { id: "docs", name: "Write the documentation", kind: "work" },
    { id: "review", name: "Review", kind: "verification" },
  ],
  edges: [
    { from: "plan", intent: "next", to: "build" },
    { from: "build", intent: "next", to: "check" },
    { from: "build", intent: "document", to: "docs" },
    { from: "check", intent: "next", to: "review" },
    { from: "docs", intent: "next", to: "review" },
    { from: "check", intent: "repeat", to: "build" },
    { from: "review", intent: "jump", to: "plan" },
    { from: "review", intent: "closing", to: null },
  ],
  current: "check",
};

export const BACKLOG: BacklogView = {
  items: [
    {
      issue: 12,
      title: "Totals with several tax rates",
      phase: "work",
      doing: "running",
      row: { ...rowOf(0), project: PROJECT },
      turns: [{ task_id: rowOf(0).task_id, agent: "claude", phase: "work" }],
    },
    {
      issue: 13,
      title: "Price list in SQLite",
      phase: "work",
      doing: "waits for its landing",
      turns: [{ task_id: rowOf(2).task_id, agent: "codex", phase: "work", outcome: "proved" }],
    },
    {
      issue: 15,
      title: "Invoices in PDF",
      phase: "plan",
      doing: "waits for 12",
      problem: "It depends on issue 12, which is open.",
      turns: [],
    },
    { issue: 17, title: "Migration guide for version 3", phase: "review", doing: "ready", turns: [] },
    {
      issue: 18,
      title: "A login page",
      phase: "plan",
      doing: "stopped",
      problem: "Its last run stalled: two iterations changed nothing.",
      turns: [{ task_id: rowOf(3).task_id, agent: "claude", outcome: "stalled" }],
    },
  ],
  lanes: [{ base: "main", waiting: [13, 17] }],
};

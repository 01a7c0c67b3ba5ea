import type { TaskView } from "../../src/model/dashboard.ts";
import { source } from "../app/context.ts";
import type { Tab } from "../parts/tabs.tsx";
import { texts } from "../texts/texts.ts";

/** A run shows only the parts that it has. */
export function tabsOf(view: TaskView): Tab[] {
  const { tabs } = texts().run;
  return [
    { id: "overview", text: tabs.overview, count: `${view.criteria_met}/${view.criteria}` },
    { id: "timeline", text: tabs.timeline, count: view.timeline.length },
    ...(source().is_live ? [{ id: "live", text: tabs.live }] : []),
    { id: "changes", text: tabs.changes },
    { id: "proof", text: tabs.proof, ...(view.proof && { count: view.proof.holds ? "✓" : "✕" }) },
    ...(view.flow ? [{ id: "flow", text: tabs.flow }] : []),
    { id: "knowledge", text: tabs.knowledge },
    { id: "figures", text: tabs.figures },
  ];
}

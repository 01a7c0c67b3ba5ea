import type { TaskView } from "../../../src/model/dashboard.ts";
import { runOf } from "./runs.ts";

/** Texts as an agent, a file name or an issue may hold them. */
export const MARKUP = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
export const HIDDEN = "safe\u202Etxt.exe\u200B \u001B[31mred\u001B[0m";

export function hostileRun(number: number): TaskView {
  const view = runOf(number, 3, false);
  return {
    ...view,
    title: `${MARKUP} ${HIDDEN}`,
    task: `${HIDDEN}\n${MARKUP}`,
    rows: view.rows.map((row) => ({ ...row, text: `${MARKUP} ${row.id}` })),
    timeline: view.timeline.map((row) => ({ ...row, approach: MARKUP, reason: HIDDEN })),
    notes: [{ text: `</script>${MARKUP}`, given_at: "2026-03-04T09:12:00Z" }],
  };
}

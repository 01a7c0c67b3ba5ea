import { Spending } from "../../model/usage.ts";
import type { Ledger } from "../ports/task-store.ts";
import { type Guard, type Journal, openJournal } from "./journal.ts";
import type { ReportNotice } from "./json-lines.ts";

export async function openLedger(
  path: string,
  report: ReportNotice,
  guard?: Guard,
): Promise<Ledger & Pick<Journal<Spending>, "check" | "close">> {
  const journal = await openJournal(path, Spending, report, guard);
  return {
    append: async (spending) => {
      await journal.append(spending);
    },
    entries: () => journal.read(),
    check: () => journal.check(),
    close: () => journal.close(),
  };
}

import { Spending } from "../../model/usage.ts";
import type { Ledger } from "../ports.ts";
import { openJournal } from "./journal.ts";
import type { Report } from "./json-lines.ts";

export async function openLedger(path: string, report: Report): Promise<Ledger & { close(): Promise<void> }> {
  const journal = await openJournal(path, Spending, report);
  return {
    append: async (spending) => {
      await journal.append(spending);
    },
    entries: () => journal.read(),
    close: () => journal.close(),
  };
}

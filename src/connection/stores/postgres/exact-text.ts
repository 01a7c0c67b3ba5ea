import { storable } from "../stored-json.ts";
import type { Row } from "./database.ts";

/**
 * What a program has said, as the two columns in which it comes back to the byte. PostgreSQL's texts have no NUL: a text with some is
 * kept without them for those who ask in SQL, and whole beside that.
 */
export function exactColumns(text: string): [readable: string, exact: Buffer | null] {
  return [storable(text), text.includes("\0") ? Buffer.from(text) : null];
}

/** The text of the columns `doc` and `exact`; empty where there is none. */
export function exactText({ doc, exact }: Row): string {
  return exact instanceof Uint8Array ? Buffer.from(exact).toString() : String(doc ?? "");
}

import type { Tried } from "./place.ts";

/** What was seen of one thing that must work. */
export interface Cell {
  is_seen: boolean;
  note: string;
}

/** One thing to try, which shows the rows of the table that it names. */
export interface Trial<Row extends string = string> {
  name: string;
  /** In the words of the table. */
  rows: Readonly<Record<Row, string>>;
  run(tried: Tried): Promise<Record<Row, Cell>>;
}

export function seen(note = ""): Cell {
  return { is_seen: true, note };
}

export function missed(note: string): Cell {
  return { is_seen: false, note };
}

/** Seen if it holds, with what there is to say in either case. */
export function cell(holds: boolean, note: string, otherwise: string): Cell {
  return holds ? seen(note) : missed(otherwise);
}

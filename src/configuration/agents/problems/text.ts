import { type Wording, wordsIn } from "../../../model/wording.ts";

export interface Text {
  severity: "error" | "warning";
  message: string;
  why: string;
  fix: string;
}

/** A definition with one of these does not start. */
export function error(message: string, why: string, fix: string): Text {
  return { severity: "error", message, why, fix };
}

export function warning(message: string, why: string, fix: string): Text {
  return { severity: "warning", message, why, fix };
}

/** English is what a report says by itself. */
export function en(wording: Wording): string {
  return wordsIn("en", wording);
}

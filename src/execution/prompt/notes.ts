import type { NoteRecord } from "../../model/records.ts";
import { fillTemplate } from "../../model/template.ts";
import type { PromptSet } from "../run-context.ts";
import { keepHead } from "./bounds.ts";
import { fitted } from "./memory.ts";
import { indent } from "./texts.ts";

/** The tokens that all notes may take in a prompt, and a single one of them. */
export const NOTES_TOKENS = 10_000;
const NOTE_TOKENS = 4_000;

/** What the user has told the worker of this iteration, then what earlier ones were told. Empty without notes. */
export function notesText(
  { "executor-notes": latest, "executor-earlier-notes": before }: PromptSet,
  notes: readonly NoteRecord[],
  { iteration, room = NOTES_TOKENS }: { iteration: number; room?: number },
): string {
  const own = notes.filter((note) => note.iteration === iteration);
  const earlier = notes.filter((note) => note.iteration !== iteration);
  const newestFirst = (list: readonly NoteRecord[]) => fitted(list.map(noteItem).reverse(), room / 2, true).text;
  return [
    own.length > 0 ? fillTemplate(latest, { notes: newestFirst(own) }) : "",
    earlier.length > 0 ? fillTemplate(before, { notes: newestFirst(earlier) }) : "",
  ]
    .filter(Boolean)
    .join("\n");
}

function noteItem({ iteration, text }: NoteRecord): string {
  return `- (before iteration ${iteration})\n${indent(keepHead(text, NOTE_TOKENS))}`;
}

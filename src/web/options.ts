import type { EventEnvelope } from "../model/events.ts";
import type { Language } from "../model/language.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { Past } from "./parts.ts";
import type { ElsewhereProject } from "./projects.ts";

/** How the command line says what a page shows, too. */
export interface Wording {
  /** What `e8 watch` prints of an event, without colours. */
  lines(event: EventEnvelope["event"], texts: Texts): string[];
  /** The command that goes on with a task, where there is one. */
  next(past: Past, texts: Texts): string | undefined;
}

export interface DashboardOptions {
  /** Directories. */
  projects: readonly string[];
  /** Asks for the other projects of a database, whose files are on other machines. */
  elsewhere?: (() => Promise<readonly ElsewhereProject[]>) | undefined;
  host: string;
  /** Undefined: the usual one, or a free one where that is taken. */
  port: number | undefined;
  isReadOnly: boolean;
  /** Of those who ask for none. */
  language: Language;
  version: string;
  /** The words that start e8, before its own. */
  program: readonly string[];
  /** Of the runs that the page starts. */
  environment: Readonly<Record<string, string | undefined>>;
  wording: Wording;
  /** The directory of the built page. */
  page: string;
}

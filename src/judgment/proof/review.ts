import { type Message, message, type Statement } from "../../model/message.ts";
import type { Review, ReviewedCriterion, ReviewedFile, ReviewRecord } from "../../model/proof-record.ts";
import type { ReviewerResult } from "../../model/roles.ts";
import type { FoundQuotation } from "./quotations.ts";

/** What a reviewer is asked besides the questions that are always the same. */
export interface ReviewQuestions {
  /** The sentence criteria, in the user's words. */
  criteria: readonly { id: number; criterion: string }[];
  /** Protected files whose change needs a reason. */
  protected_files: readonly string[];
  /** Whether a check rests on files that git ignores. */
  asks_ignored: boolean;
  /** No file has changed: the result may be a text that the user asks for. */
  is_untouched: boolean;
  /** The task, the criteria and the answers as the user wrote them: a demand must be found there. */
  own_words: readonly string[];
}

/** Looks a quotation up. `ignored`: also in files that git ignores. */
export type LookUp = (quotation: Quotation, where?: "ignored") => FoundQuotation | undefined;

interface Quotation {
  file: string;
  line: number;
  quote: string;
}

/** The answer with its quotations looked up. `problem`: why it cannot be used as a whole. */
export function reviewOf(
  model: string,
  { answer, problem }: { answer: ReviewerResult; problem?: Statement | undefined },
  questions: ReviewQuestions,
  lookUp: LookUp,
): Review {
  const { findings, criteria, protected_files, ignored_files } = answer;
  const asked = new Map(questions.criteria.map(({ id, criterion }) => [id, criterion]));
  return {
    model,
    ...(problem !== undefined && { problem }),
    findings: findings.map((one) => ({ ...one, ...kept(one), is_verified: lookUp(one) !== undefined })),
    criteria: criteria
      .filter(({ id }) => asked.has(id))
      .map(({ asks_text, ...one }) => ({
        ...one,
        ...kept(one),
        criterion: asked.get(one.id) ?? "",
        is_verified: lookUp(one) !== undefined,
        ...(questions.is_untouched && !one.is_met && isDemanded(asks_text, questions.own_words) && { is_text: true }),
      })),
    protected_files: protected_files
      .filter(({ file }) => questions.protected_files.includes(file))
      .map((one) => ({
        ...one,
        ...kept(one),
        is_verified: lookUp(one, "ignored")?.is_changed ?? false,
        is_demand_verified: isDemanded(one.demand, questions.own_words),
      })),
    ignored_files:
      questions.asks_ignored && ignored_files
        ? { ...ignored_files, ...kept(ignored_files), is_verified: lookUp(ignored_files, "ignored") !== undefined }
        : null,
  };
}

/** Long texts are cut in records, after they were looked up. */
const LONGEST = 2_000;

function kept({ quote, explanation }: { quote: string; explanation: string }) {
  return {
    quote: quote.slice(0, LONGEST).toWellFormed(),
    explanation: explanation.slice(0, LONGEST).toWellFormed(),
  };
}

/** Whether the user has written these words. Line breaks and other white space do not count. */
function isDemanded(demand: string, own_words: readonly string[]): boolean {
  const wanted = plain(demand);
  const isTelling = (wanted.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_LETTERS;
  return isTelling && own_words.some((words) => plain(words).includes(wanted));
}

const LEAST_LETTERS = 3;

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What makes an answer unusable: a question is not answered, or answered in two ways. */
export function gapsIn(answer: ReviewerResult, questions: ReviewQuestions): Message[] {
  const onCriteria = questions.criteria.flatMap(({ id }): Message[] => {
    const words = new Set(answer.criteria.filter((one) => one.id === id).map(({ is_met }) => is_met));
    if (words.size === 1) return [];
    return [message(words.size === 0 ? "review_criterion_skipped" : "review_criterion_contradicted", { id })];
  });
  const onFiles = questions.protected_files.flatMap((file): Message[] => {
    const words = new Set(answer.protected_files.filter((one) => one.file === file).map((one) => one.is_demanded));
    if (words.size === 1) return [];
    return [message(words.size === 0 ? "review_file_skipped" : "review_file_contradicted", { file })];
  });
  const isIgnoredOpen = questions.asks_ignored && answer.ignored_files === null;
  return [...onCriteria, ...onFiles, ...(isIgnoredOpen ? [message("review_ignored_skipped", {})] : [])];
}

/** The quotations that were not found: the reviewer is asked once more. */
export function unfoundIn({ findings, criteria, protected_files, ignored_files }: Review): Message[] {
  const needed = [
    ...findings,
    ...criteria.filter(({ is_met }) => is_met),
    ...protected_files.filter(({ is_demanded }) => is_demanded),
    ...(ignored_files?.is_build ? [ignored_files] : []),
  ];
  const demands = protected_files.filter((one) => one.is_demanded && !one.is_demand_verified);
  return [
    ...needed
      .filter(({ is_verified }) => !is_verified)
      .map(({ file, line, quote }) => message("review_quote_missing", { file, line, quote: short(quote) })),
    ...demands.map(({ file, demand }) => message("review_demand_missing", { file, demand: short(demand) })),
  ];
}

/** What a review holds against the work. Of an answer with gaps only the findings count: the rest may contradict itself. */
export function objectionsIn({ findings, criteria, problem }: Review): Message[] {
  const evaluated = problem === undefined ? criteria : [];
  return [
    ...findings
      .filter(({ is_verified }) => is_verified)
      .map(({ kind, file, line, quote, explanation }) =>
        message("review_finding", { kind, file, line, quote: short(quote), explanation }),
      ),
    ...evaluated.flatMap(({ id, criterion, is_met, is_verified, is_text, explanation }): Message[] => {
      if (is_text) return [];
      if (!is_met) return [message("review_unmet", { id, criterion, explanation })];
      return is_verified ? [] : [message("review_unquoted", { id, criterion })];
    }),
  ];
}

/** Whether a sentence criterion is not met although a text may have been handed in for it: no worker has written to a file. */
export function wantsFile({ is_untouched = false, reviews }: ReviewRecord): boolean {
  const isOpen = ({ is_met, is_verified, is_text }: ReviewedCriterion) => !is_text && !(is_met && is_verified);
  return is_untouched && reviews.some(({ problem, criteria }) => problem === undefined && criteria.some(isOpen));
}

/** The numbers of the criteria that ask for a text: no reviewer reads what a worker hands in. */
export function unreadIn(reviews: readonly Review[]): number[] {
  const texts = reviews.flatMap(({ criteria }) => criteria).filter(({ is_text }) => is_text);
  return [...new Set(texts.map(({ id }) => id))];
}

/** Whether the task demands the change of a file: everything that the reviewer says about it must hold. */
export function demands({ protected_files }: Review, path: string): boolean {
  const about = protected_files.filter(({ file }) => file === path);
  const holds = (one: ReviewedFile) => one.is_demanded && one.is_verified && one.is_demand_verified;
  return about.length > 0 && about.every(holds);
}

/** For a sentence. The record has the whole quotation. */
const LONGEST_SHOWN = 200;

function short(quote: string): string {
  const line = plain(quote);
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN).toWellFormed()}…` : line;
}

import type { Proof, Review } from "../../model/proof-record.ts";
import { visible } from "../../model/visible.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import { indented, oneLine, printable } from "./lines.ts";

/** Who reviewed the work, or why it was not reviewed. Nothing for a proof of a version without reviewers. */
export function reviewLine({ review }: Pick<Proof, "review">, texts: Texts): string[] {
  if (!review) return [];
  const { review: words } = texts.proof;
  const { missing, reviews, cut_files } = review;
  if (missing) return [texts.labeled(words.title, oneLine(teller(texts.language)(missing), 400))];
  const models = oneLine(reviews.map(({ model }) => model).join(texts.separator), 200);
  const said = words.by(models, reviews.flatMap(quotationsIn).filter(({ is_verified }) => is_verified).length);
  const parts = [said, ...(cut_files.length > 0 ? [words.cut(cut_files.length)] : [])];
  return [texts.labeled(words.title, parts.join(texts.separator))];
}

/** A place that a reviewer has quoted, and what it says about it. */
interface Said {
  label: string;
  verdict: string;
  file: string;
  line: number;
  quote: string;
  explanation: string;
  is_verified: boolean;
  /** Whether it counts only with its quotation. */
  needs_quotation: boolean;
  /** It counts only with a demand of the user's, and these are not the user's words. */
  is_invented?: boolean;
}

function quotationsIn({ findings, criteria, protected_files, ignored_files }: Review) {
  return [...findings, ...criteria, ...protected_files, ...(ignored_files ? [ignored_files] : [])];
}

/** Every word of every reviewer, with its quotation and whether that was found. */
export function reviewInFull(proof: Pick<Proof, "review">, texts: Texts): string[] {
  const { review } = proof;
  if (!review || review.missing) return reviewLine(proof, texts);
  const { review: words } = texts.proof;
  return [
    texts.labeled(words.title),
    ...review.reviews.flatMap((one) => [
      `  ${ofOne(one, texts)}`,
      ...saidBy(one, texts).flatMap((said) => saidLines(said, texts)),
    ]),
    ...(review.cut_files.length > 0
      ? [`  ${texts.labeled(words.cutFiles, oneLine(review.cut_files.join(texts.separator), 2000))}`]
      : []),
  ];
}

function ofOne({ model, problem }: Review, texts: Texts): string {
  const { review: words } = texts.proof;
  const said =
    problem === undefined ? "" : ` (${texts.labeled(words.unusable, oneLine(teller(texts.language)(problem), 600))})`;
  return `${texts.labeled(words.reviewer, oneLine(model, 200))}${said}`;
}

function saidBy({ findings, criteria, protected_files, ignored_files }: Review, { proof }: Texts): Said[] {
  const { review: words } = proof;
  return [
    ...findings.map((one) => ({ ...one, label: words.finding, verdict: words.kinds[one.kind], needs_quotation: true })),
    ...criteria.map((one) => ({
      ...one,
      label: words.criterion(one.id),
      verdict: words.met(one.is_met),
      needs_quotation: one.is_met,
    })),
    ...protected_files.map((one) => ({
      ...one,
      label: one.file,
      verdict: words.demanded(one.is_demanded),
      explanation: [one.demand && `"${one.demand}"`, one.explanation].filter(Boolean).join(" "),
      needs_quotation: one.is_demanded,
      is_invented: one.is_demanded && !one.is_demand_verified,
    })),
    ...(ignored_files
      ? [
          {
            ...ignored_files,
            label: words.ignored,
            verdict: words.built(ignored_files.is_build),
            needs_quotation: ignored_files.is_build,
          },
        ]
      : []),
  ];
}

const MOST_LINES = 12;

function saidLines(said: Said, { labeled, proof }: Texts): string[] {
  const { label, verdict, file, line, quote, explanation, is_verified, needs_quotation, is_invented } = said;
  const doubts = [
    ...(needs_quotation && !is_verified ? [proof.review.unverified] : []),
    ...(is_invented ? [proof.review.invented] : []),
  ].map((doubt) => ` (${doubt})`);
  const quoted = indented(visible(printable(quote.trimEnd())), "        ").slice(0, MOST_LINES);
  return [
    `    ${labeled(oneLine(label, 300), verdict)}${doubts.join("")}`,
    ...(explanation === "" ? [] : [`      ${oneLine(explanation, 2000)}`]),
    ...(quote.trim() === "" ? [] : [`      ${oneLine(file, 300)}:${line}`, ...quoted]),
  ];
}

import type { CellEvidence, CriterionRow, ReportData, TaskView } from "../../model/dashboard.ts";
import type { ProvedCheck } from "../../model/proof-record.ts";
import { visible } from "../../model/visible.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { statusText } from "../commands/list.ts";
import { compact, costWords, duration, tokenWords } from "./amounts.ts";

const LONGEST_EVIDENCE = 1500;
const MOST_FILES = 20;

/** A run as a comment: verdict, criteria with their evidence, proof, cost, changes. What others wrote is quoted so that it stays a text. */
export function reportMarkdown({ view, evidence, diffs }: ReportData, texts: Texts): string {
  const { reportFile: words } = texts;
  const parts = [
    `## ${verdictOf(view, texts)}`,
    quoted(view.task),
    ...whyPart(view),
    ...questionsPart(view, texts),
    criteriaPart(view, texts),
    ...evidencePart(view, evidence, texts),
    ...proofPart(view, texts),
    ...changesPart(diffs[0], texts),
    `**${words.cost}:** ${spentText(view, texts)}`,
    `<sub>${words.made(view.task_id)}</sub>`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function verdictOf(view: TaskView, texts: Texts): string {
  const { verdict, open } = texts.reportFile;
  if (view.status === "unreadable") return `❌ ${open(plain(view.problem ?? ""))}`;
  if (view.status !== "completed") return `❌ ${open(statusText(view.status, texts))}`;
  return view.proof?.holds ? `✅ ${verdict.true}` : `⚠️ ${verdict.false}`;
}

/** Why it ended, where something went wrong. */
function whyPart({ result }: TaskView): string[] {
  const said = [result?.error_message, result?.hint].flatMap((one) => (one ? [plain(one)] : []));
  return said.length > 0 ? [said.join("  \n")] : [];
}

function questionsPart({ questions }: TaskView, { reportFile: words }: Texts): string[] {
  if (questions.length === 0) return [];
  const asked = questions.map(({ question, context, suggested_answers: choices }, index) => {
    const more = [context, choices.length > 0 ? words.choices(choices.join(" / ")) : ""].filter(Boolean);
    return [`${index + 1}. ${plain(question)}`, ...more.map((one) => `   ${plain(one)}`)].join("  \n");
  });
  return [[`**${words.questions}**`, "", ...asked].join("\n")];
}

function criteriaPart(view: TaskView, { reportFile: words }: Texts): string {
  const rows = view.rows.map((row) => `| ${row.id} | ${plain(row.text)} | ${stateOf(row, words)} |`);
  const head = [`| | ${words.criterion} | |`, "|-|-|-|"];
  return [`**${words.criteria(view.criteria_met, view.criteria)}**`, "", ...head, ...rows].join("\n");
}

function stateOf({ cells }: CriterionRow, words: Texts["reportFile"]): string {
  const latest = cells.at(-1);
  if (!latest) return words.unjudged;
  return latest.is_met ? `✅ ${words.met}` : `❌ ${words.unmet}`;
}

/** The latest word on each criterion. */
function evidencePart(view: TaskView, evidence: readonly CellEvidence[], { reportFile: words }: Texts): string[] {
  const shown = view.rows.flatMap(({ id, cells }) => {
    const { iteration } = cells.at(-1) ?? {};
    const found = evidence.find((one) => one.id === id && one.iteration === iteration);
    if (!found || iteration === undefined) return [];
    const text = [found.said, found.quoted].filter(Boolean).join("\n");
    return [`**${words.evidenceOf(id, iteration)}**\n\n${fenced(text.slice(-LONGEST_EVIDENCE))}`];
  });
  return shown.length === 0 ? [] : [folded(words.evidence, shown.join("\n\n"))];
}

function proofPart({ proof, result }: TaskView, { reportFile: words }: Texts): string[] {
  if (!proof) {
    const { proof: verdict, unproved } = result ?? {};
    return unproved ? [`**${words.proof}:** ${plain(unproved)}`, ...checkTable(verdict?.checks ?? [], words)] : [];
  }
  const paths = proof.protected_changes.map(({ path }) => `- ${inline(path)}`);
  return [
    `**${words.proof}:** ${(proof.holds ? words.holds : words.refuted)(proof.iteration)}`,
    ...checkTable(proof.checks, words),
    ...(proof.reasons.length > 0 ? [proof.reasons.map((reason) => `- ${plain(reason)}`).join("\n")] : []),
    ...(paths.length > 0 ? [[`${words.protected}:`, "", ...shortened(paths, words)].join("\n")] : []),
  ];
}

function checkTable(checks: readonly ProvedCheck[], words: Texts["reportFile"]): string[] {
  const state = (passed: boolean | null) => words.states[`${passed}`];
  const rows = checks.map(
    ({ criterion, before, after }) => `| ${plain(criterion)} | ${state(before)} | ${state(after)} |`,
  );
  const head = [`| ${words.check} | ${words.before} | ${words.after} |`, "|-|-|-|"];
  return rows.length > 0 ? [[...head, ...rows].join("\n")] : [];
}

function changesPart(diff: ReportData["diffs"][number] | undefined, { reportFile: words }: Texts): string[] {
  if (!diff || diff.files.length === 0) return [];
  const sum = (of: "added" | "removed") => diff.files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const files = diff.files.map(({ path, added, removed }) => `- ${inline(path)} +${added ?? "?"} −${removed ?? "?"}`);
  return [folded(words.changes(diff.files.length, sum("added"), sum("removed")), shortened(files, words).join("\n"))];
}

function shortened(lines: readonly string[], words: Texts["reportFile"]): string[] {
  const left = lines.length - MOST_FILES;
  return left > 0 ? [...lines.slice(0, MOST_FILES), `- ${words.more(left)}`] : [...lines];
}

function spentText({ spent, iterations }: TaskView, texts: Texts): string {
  const { reportFile: words, units } = texts;
  const tokens = words.tokens(tokenWords(spent, texts, compact));
  return [words.iterations(iterations), ...costWords(spent, texts), tokens, duration(spent.seconds, units)].join(", ");
}

const folded = (title: string, content: string) => `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;

/** Nothing in it is markup, mentions somebody or links anywhere. */
function plain(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&-]/g, "\\$&")
    .replaceAll("@", "@\u2060")
    .replaceAll("://", ":\u2060//");
}

function quoted(text: string): string {
  return visible(text)
    .trim()
    .split("\n")
    .map((line) => `> ${plain(line)}`)
    .join("\n");
}

function inline(text: string): string {
  const clean = visible(text).replaceAll(/\s/g, " ");
  const fence = longerThanIn(clean, 1);
  return `${fence} ${clean} ${fence}`;
}

function fenced(text: string): string {
  const clean = visible(text);
  const fence = longerThanIn(clean, 3);
  return `${fence}text\n${clean}\n${fence}`;
}

function longerThanIn(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}

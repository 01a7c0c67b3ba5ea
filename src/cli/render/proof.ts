import { listed } from "../../model/message.ts";
import type { Proof, ProofRecord, ProtectedChange, ProvedCheck } from "../../model/proof-record.ts";
import type { LoopResult } from "../../model/records.ts";
import type { SandboxUse } from "../../model/sandbox.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import { checkName, flakyRemark } from "./evaluations.ts";
import { oneLine } from "./lines.ts";
import { reviewInFull, reviewLine } from "./review.ts";

const MOST_FILES = 6;

/** How the verdict was reached, in at most five lines. */
export function proofLines(proof: Proof, texts: Texts): string[] {
  const { words, labeled } = { words: texts.proof, labeled: texts.labeled };
  const tell = teller(texts.language);
  const { method, commit, checks, weaker, sandbox } = proof;
  return [
    labeled(words.title, words.method[method](commit?.slice(0, 10) ?? "")),
    ...(checks.length > 0 ? [`  ${labeled(words.checks, words.beforeAfter(counts(checks)))}`] : []),
    `  ${labeled(words.protected, protectedText(proof, texts))}`,
    ...checks.flatMap((check) =>
      flakyRemark(check, texts).map((remark) => `  ${checkName(check.criterion, texts)}: ${remark}`),
    ),
    ...reviewLine(proof, texts).map((line) => `  ${line}`),
    ...(sandbox ? [`  ${labeled(words.sandbox, sandboxText(sandbox, texts))}`] : []),
    ...weaker.slice(0, 2).map((one) => `  ${oneLine(tell(one), 400)}`),
  ];
}

/** What has become of the files that the checks rest on, and what the proof made of that. */
function protectedText({ start, commit, protected_changes, protection, method }: Proof, texts: Texts): string {
  const { proof: words, separator } = texts;
  if (start === null || commit === null) return words.notCompared;
  const listed = (files: readonly ProtectedChange[]) => {
    const more = files.length > MOST_FILES ? [words.more(files.length - MOST_FILES)] : [];
    return [...files.slice(0, MOST_FILES).map(({ path }) => oneLine(path, 200)), ...more].join(separator);
  };
  const policy = protection === "restore" && method !== "clean-room" ? "fail" : (protection ?? "fail");
  const changed = protected_changes.filter(({ is_allowed }) => !is_allowed);
  const allowed = protected_changes.filter(({ is_allowed }) => is_allowed);
  return [
    ...(changed.length > 0 ? [words.changed[policy](listed(changed))] : []),
    ...(allowed.length > 0 ? [words.allowed(listed(allowed))] : []),
    ...(protected_changes.length === 0 ? [words.untouched] : []),
  ].join(separator);
}

/** A completed run without a proof says why. */
export function unprovedLines({ unproved }: LoopResult, texts: Texts): string[] {
  return unproved ? [texts.labeled(texts.proof.title, oneLine(teller(texts.language)(unproved)))] : [];
}

/** What the proof of a claim came to, while the run goes on. */
export function proofOutcomeLines({ holds, reasons, method }: ProofRecord, texts: Texts): string[] {
  if (holds) return [`  ${texts.proof.holds[method]}`];
  return [`  ${texts.proof.refuted}`, ...reasons.map((one) => `    ${oneLine(teller(texts.language)(one), 600)}`)];
}

/** Every check before and after, every file, in full. */
export function proofInFull(proof: Proof, texts: Texts): string[] {
  const { proof: words, labeled } = texts;
  const tell = teller(texts.language);
  return [
    labeled(words.title, words.method[proof.method](proof.commit ?? "")),
    ...(proof.start ? [labeled(words.start, proof.start)] : []),
    labeled(words.checks),
    ...proof.checks.map((check) => `  ${checkLine(check, texts)}`),
    ...(proof.judged.length > 0 ? [labeled(words.judged)] : []),
    ...proof.judged.map(({ criterion, is_met }) => `  ${oneLine(criterion, 400)}  ${words.state(is_met)}`),
    labeled(words.protected, protectedText(proof, texts)),
    ...proof.protected_changes.map(
      ({ path, status, why }) => `  ${texts.changes.status[status]}  ${oneLine(path)}  (${words.why[why]})`,
    ),
    ...(proof.made_since.length > 0 ? [labeled(words.madeSince, oneLine(proof.made_since.join(", "), 2000))] : []),
    ...reviewInFull(proof, texts),
    ...(proof.sandbox ? [labeled(words.sandbox, sandboxText(proof.sandbox, texts))] : []),
    ...(proof.weaker.length > 0 ? [oneLine(tell(listed(proof.weaker, " ")), 2000)] : []),
  ];
}

function checkLine(check: ProvedCheck, texts: Texts): string {
  const { state, inPlace } = texts.proof;
  const { criterion, before, after, is_in_place } = check;
  const remarks = [...(is_in_place ? [inPlace] : []), ...flakyRemark(check, texts)];
  const remark = remarks.length > 0 ? `  (${remarks.join(texts.separator)})` : "";
  return `${checkName(criterion, texts)}  ${state(before)} → ${state(after)}${remark}`;
}

function sandboxText({ level, adapter, problem }: SandboxUse, { proof: words, language }: Texts): string {
  if (level === "off") return words.sandboxOff;
  return problem ? words.sandboxMissing(oneLine(teller(language)(problem), 300)) : words.sandboxed(level, adapter);
}

function counts(checks: readonly ProvedCheck[]) {
  const turned = checks.filter(({ before, after }) => before === false && after).length;
  const stayed = checks.filter(({ before, after }) => before === true && after).length;
  return { turned, stayed, unknown: checks.length - turned - stayed };
}

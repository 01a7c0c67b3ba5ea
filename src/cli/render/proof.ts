import { listed } from "../../model/message.ts";
import type { Proof, ProofRecord, ProtectedChange, ProvedCheck, VerdictProof } from "../../model/proof-record.ts";
import type { LoopResult } from "../../model/records.ts";
import type { SandboxUse } from "../../model/sandbox.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { Paint } from "../output.ts";
import { checkName, evaluationLines, flakyRemark } from "./evaluations.ts";
import { oneLine } from "./lines.ts";
import { reviewInFull, reviewLine } from "./review.ts";

const MOST_FILES = 6;

type SaidProof = VerdictProof | ProofRecord;

/** How the verdict was reached, in about five lines. Where nothing was claimed, the criteria alone say it. */
export function proofLines({ proof, unproved, status }: ProvedResult, texts: Texts): string[] {
  if (!proof || proof.method === "none") return status === "completed" ? unprovedLines({ proof, unproved }, texts) : [];
  const { proof: words, labeled } = texts;
  const { checks, holds, reasons, weaker } = proof;
  const tell = teller(texts.language);
  return [
    labeled(words.title, methodText({ ...proof, commit: proof.commit?.slice(0, 10) ?? null }, texts)),
    ...reasons.slice(0, MOST_REASONS).map((one) => `  ${oneLine(tell(one), 600)}`),
    ...countLines(checks, texts),
    `  ${labeled(words.protected, protectedText(proof, texts))}`,
    ...checks.flatMap((check) =>
      flakyRemark(check, texts).map((remark) => `  ${checkName(check.criterion, texts)}: ${remark}`),
    ),
    ...(holds || proof.review?.missing ? reviewLine(proof, texts).map((line) => `  ${line}`) : []),
    ...sandboxLines(proof, texts).map((line) => `  ${line}`),
    ...weaker.slice(0, 2).map((one) => `  ${oneLine(tell(one), 400)}`),
  ];
}

type ProvedResult = Pick<LoopResult, "proof" | "unproved" | "status">;

const MOST_REASONS = 5;

/** Why nothing was proved, and what is known all the same. Records of the version before say why at most. */
function unprovedLines({ proof, unproved }: Omit<ProvedResult, "status">, texts: Texts): string[] {
  return [
    ...(unproved ? [texts.labeled(texts.proof.title, oneLine(teller(texts.language)(unproved)))] : []),
    ...countLines(proof?.checks ?? [], texts),
    ...(proof ? sandboxLines(proof, texts).map((line) => `  ${line}`) : []),
  ];
}

/** What proved the claim, or did not. */
function methodText({ method, commit, holds, checks, iteration = 0 }: SaidProof, { proof: words }: Texts): string {
  const how = checks.length > 0 ? words.method : words.noChecks;
  const said = method === "none" ? "" : how[method](commit ?? "");
  return holds === false ? words.refutedClaim(iteration, said) : said;
}

function countLines(checks: readonly ProvedCheck[], { proof: words, labeled }: Texts): string[] {
  const said = words.beforeAfter(counts(checks));
  return said === "" ? [] : [`  ${labeled(words.checks, said)}`];
}

function sandboxLines({ sandbox }: Pick<Proof, "sandbox">, texts: Texts): string[] {
  return sandbox ? [texts.labeled(texts.proof.sandbox, sandboxText(sandbox, texts))] : [];
}

/** What has become of the files that the checks rest on, and what the proof made of that. */
function protectedText({ start, commit, protected_changes, protection, method }: SaidProof, texts: Texts): string {
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

/** What the proof of a claim came to, while the run goes on: of a refuted one why, and what the failed checks have said. */
export function proofOutcomeLines(proof: ProofRecord, { texts, paint }: { texts: Texts; paint: Paint }): string[] {
  return proof.holds ? [`  ${texts.proof.holds[proof.method]}`] : refutedLines(proof, { texts, paint });
}

function refutedLines(
  { reasons, evaluations }: ProofRecord,
  { texts, paint }: { texts: Texts; paint: Paint },
): string[] {
  const failed = evaluations.filter(({ is_met }) => !is_met);
  return [
    `  ${texts.proof.refuted}`,
    ...reasons.map((one) => `    ${oneLine(teller(texts.language)(one), 600)}`),
    ...evaluationLines(failed, { texts, paint, evidence: "unmet" }),
  ];
}

/** The same for a run in which nothing was proved. */
export function unprovedInFull({ proof, unproved }: Pick<LoopResult, "proof" | "unproved">, texts: Texts): string[] {
  const { proof: words, labeled } = texts;
  return [
    unproved ? labeled(words.title, oneLine(teller(texts.language)(unproved))) : words.none,
    ...(proof && proof.checks.length > 0 ? [labeled(words.checks), ...checkLines(proof.checks, texts)] : []),
    ...(proof ? sandboxLines(proof, texts) : []),
  ];
}

/** Every check before and after, every file, in full. */
export function proofInFull(proof: ProofRecord, texts: Texts): string[] {
  const { proof: words, labeled } = texts;
  const tell = teller(texts.language);
  return [
    labeled(words.title, methodText(proof, texts)),
    ...(proof.start ? [labeled(words.start, proof.start)] : []),
    ...(proof.checks.length > 0 ? [labeled(words.checks), ...checkLines(proof.checks, texts)] : []),
    ...(proof.judged.length > 0 ? [labeled(words.judged)] : []),
    ...proof.judged.map(({ criterion, is_met }) => `  ${oneLine(criterion, 400)}  ${words.state(is_met)}`),
    labeled(words.protected, protectedText(proof, texts)),
    ...proof.protected_changes.map(
      ({ path, status, why }) => `  ${texts.changes.status[status]}  ${oneLine(path)}  (${words.why[why]})`,
    ),
    ...(proof.made_since.length > 0 ? [labeled(words.madeSince, oneLine(proof.made_since.join(", "), 2000))] : []),
    ...reviewInFull(proof, texts),
    ...sandboxLines(proof, texts),
    ...(proof.weaker.length > 0 ? [oneLine(tell(listed(proof.weaker, " ")), 2000)] : []),
  ];
}

function checkLines(checks: readonly ProvedCheck[], texts: Texts): string[] {
  return checks.map((check) => `  ${checkLine(check, texts)}`);
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
  const failed = checks.filter(({ after }) => !after).length;
  return { turned, stayed, failed, unknown: checks.length - turned - stayed - failed };
}

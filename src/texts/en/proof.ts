import type { ProtectionPolicy, ProtectionReason } from "../../model/proof-record.ts";
import type { SandboxAdapter } from "../../model/sandbox.ts";
import { findingKinds } from "../messages/review.ts";

/** How the checks came out, in numbers. `unknown`: not known before the work. */
export interface CheckCounts {
  turned: number;
  stayed: number;
  failed: number;
  unknown: number;
}

const why: Record<ProtectionReason, string> = {
  test: "a test",
  configuration: "says how tests are run",
  named: "named by a check or by protect",
  loaded: "loaded by the runner itself",
  dependency: "an installed dependency",
  weakening: "changes what assertions or checks do",
};

const changed: Record<ProtectionPolicy, (files: string) => string> = {
  review: (files) => `changed, for the reviewers to allow: ${files}`,
  fail: (files) => `changed: ${files}`,
  restore: (files) => `changed, so the checks ran on those of the start: ${files}`,
  off: (files) => `changed, and not protected, as you asked: ${files}`,
};

export const enProof = {
  title: "proof",
  checks: "checks",
  judged: "second judge",
  flaky: (passed: number, needed: number) =>
    `flaky: failed and passed on the same files; ${passed} of ${needed} passes in a row`,
  inPlace: "asked again in the workspace",
  protected: "protected files",
  start: "start",
  untouched: "as they were at the start",
  notCompared: "not compared with the start: there is no snapshot of it",
  changed,
  allowed: (files: string) => `changed, as may_change allows: ${files}`,
  madeSince: "made since the start and ignored by git",
  sandbox: "sandbox",
  sandboxed: (level: string, adapter: SandboxAdapter) => `${level} (${adapter})`,
  sandboxOff: "off: worker and checks ran as you",
  sandboxMissing: (problem: string) => `none, worker and checks ran as you: ${problem}`,
  more: (count: number) => `and ${count} more`,
  method: {
    "clean-room": (commit: string) => `the checks ran again in a clean checkout of ${commit}`,
    "in-place": (_commit: string) => "the checks ran again in the workspace, not in a clean checkout",
  },
  noChecks: {
    "clean-room": (commit: string) =>
      `there are no checks to run again; the verdict rests on judges and reviewers, for ${commit}`,
    "in-place": (_commit: string) => "there are no checks to run again; the verdict rests on judges and reviewers",
  },
  refutedClaim: (iteration: number, method: string) => `the claim of iteration ${iteration} is refuted; ${method}`,
  holds: { "clean-room": "proved in a clean checkout", "in-place": "proved in the workspace only" },
  refuted: "the claim does not hold:",
  beforeAfter: ({ turned, stayed, failed, unknown }: CheckCounts) =>
    [
      turned > 0 ? `${turned} failed before the work and passed after it` : "",
      stayed > 0 ? `${stayed} passed before and after: that shows only that nothing broke` : "",
      failed > 0 ? `${failed} failed after the work` : "",
      unknown > 0 ? `${unknown} not known before the work` : "",
    ]
      .filter(Boolean)
      .join(", "),
  state: (isMet: boolean | null) => (isMet === null ? "?" : isMet ? "✔" : "✘"),
  why,
  review: {
    title: "review",
    by: (models: string, quotations: number) =>
      `${models} found nothing against the work; ${quotations === 1 ? "1 quotation was" : `${quotations} quotations were`} looked up in the files`,
    cut: (count: number) => (count === 1 ? "1 file was not shown in full" : `${count} files were not shown in full`),
    cutFiles: "not shown in full",
    reviewer: "reviewer",
    unusable: "no usable answer",
    finding: "finding",
    criterion: (id: number) => `criterion ${id}`,
    met: (isMet: boolean): string => (isMet ? "met" : "not met"),
    demanded: (isDemanded: boolean): string =>
      isDemanded ? "the task demands this change" : "the task does not demand this change",
    ignored: "files that git ignores",
    built: (isBuild: boolean): string => (isBuild ? "a build" : "not a build"),
    unverified: "its quotation was not found there, so it does not count",
    invented: "the user has not written this demand, so it does not count",
    kinds: findingKinds.en,
  },
  none: "This task has no proof.",
};

import process from "node:process";
import { examine } from "../../compose/doctor.ts";
import type { Finding, FindingState } from "../../model/findings.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { findingText } from "../../texts/sentences.ts";
import type { CliContext } from "../context.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import { knownWidth } from "../render/columns.ts";
import { indented } from "../render/lines.ts";
import { wrappedLines } from "../render/wrap.ts";

interface DoctorFlags {
  project: string;
  config?: string;
  json?: boolean;
}

/** Says what is missing on this machine and what to do; exit 2 when a run could not work. */
export async function doctorCommand(flags: DoctorFlags, context: CliContext): Promise<void> {
  const { project, config, json } = flags;
  const findings = await examine({ project, config, environment: process.env });
  const isHealthy = findings.every(({ state }) => state !== "problem");
  const lines = json
    ? [JSON.stringify({ ok: isHealthy, findings: findings.map(plain) }, null, 2)]
    : [...findings.flatMap((one) => findingLines(one, context)), "", verdict(findings, context.texts)];
  for (const line of json ? lines : wrappedLines(lines, knownWidth())) context.output.result(line);
  if (!isHealthy) process.exitCode = EXIT_ERROR;
}

const MARKS = {
  ok: ["✔", "green"],
  warning: ["!", "yellow"],
  problem: ["✘", "red"],
} as const satisfies Record<FindingState, readonly [string, string]>;

function findingLines(finding: Finding, { texts, output: { paint } }: CliContext): string[] {
  const [mark, style] = MARKS[finding.state];
  const { message, hint } = findingText(finding, texts.language);
  const [first = "", ...more] = indented(message, "  ");
  return [`${paint(style, mark)} ${first.trimStart()}`, ...more, ...(hint ? [`  → ${hint}`] : [])];
}

function verdict(findings: readonly Finding[], { doctor }: Texts): string {
  const problems = findings.filter(({ state }) => state === "problem").length;
  return problems === 0 ? doctor.healthy : doctor.problems(problems);
}

/** The same in every language. */
function plain(finding: Finding): object {
  return { ...finding, ...findingText(finding, "en") };
}

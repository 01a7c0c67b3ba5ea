import process from "node:process";
import { examine } from "../../compose/doctor.ts";
import type { Finding, FindingState } from "../../model/findings.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { findingText } from "../../texts/sentences.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";
import { indented } from "../render/lines.ts";

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
  if (json) context.output.json({ ok: isHealthy, findings: findings.map(findingAsJson) });
  else
    context.output.page([
      ...findings.flatMap((one) => findingLines(one, context)),
      "",
      verdict(findings, context.texts),
    ]);
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
function findingAsJson(finding: Finding): object {
  return { ...finding, ...findingText(finding, "en") };
}

import type { DefinitionProblem, Severity } from "../../model/flow/problem.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { problemText } from "../../texts/problems/problems.ts";
import type { Paint } from "../output.ts";

interface ProblemEntry {
  code: string;
  severity: Severity;
  place: string;
  message: string;
  why: string;
  fix: string;
}

type Group = [ProblemEntry, ...ProblemEntry[]];

interface Checked {
  name: string;
  problems: readonly DefinitionProblem[];
}

/** What a definition is worth, in one line, and then its problems. */
export function definitionReport({ name, problems }: Checked, texts: Texts, paint: Paint): string[] {
  const errors = problems.filter(isError).length;
  const verdict = errors === 0 ? paint("green", texts.agents.valid) : paint("red", texts.agents.errors(errors));
  const warnings = problems.length - errors;
  return [
    `${paint("bold", name)}: ${verdict}${warnings > 0 ? `, ${texts.agents.warnings(warnings)}` : ""}`,
    ...problemReport(problems, texts, paint),
  ];
}

export function isError({ severity }: Pick<DefinitionProblem, "severity">): boolean {
  return severity === "error";
}

/** Problems of a definition by their codes, errors first: the reason and the cure once, then the places. */
export function problemReport(problems: readonly DefinitionProblem[], texts: Texts, paint: Paint): string[] {
  const told = problems.map((problem) => ({
    code: problem.code,
    severity: problem.severity,
    place: placeOf(problem),
    ...problemText(problem, texts.language),
  }));
  const warnings = told.filter((problem) => !isError(problem));
  return [...groups(told.filter(isError), "code"), ...groups(warnings, "code")].flatMap((group) =>
    groupLines(group, texts, paint),
  );
}

function groupLines(group: Group, { severity: names, agents }: Texts, paint: Paint): string[] {
  const [first] = group;
  const head = `  ${paint(first.severity === "error" ? "red" : "yellow", names[first.severity])} ${first.code}`;
  const why = ({ why }: ProblemEntry) => `    ${agents.why}: ${why}`;
  const fix = ({ fix }: ProblemEntry) => `${agents.fix}: ${fix}`;
  if (group.length === 1) return [`${head}  ${first.place}`, `    ${first.message}`, why(first), `    ${fix(first)}`];
  const [isSaid, isCure, isReason] = (["message", "fix", "why"] as const).map((by) => groups(group, by).length === 1);
  const placeLine = ({ place, message }: ProblemEntry) => `      ${place}${isSaid ? "" : `  ${message}`}`;
  return [
    `${head} (${group.length})`,
    ...(isSaid ? [`    ${first.message}`] : []),
    ...(isReason ? [why(first)] : []),
    ...(isCure ? [`    ${fix(first)}`] : []),
    ...groups(group, "why").flatMap((part) => [
      ...(isReason ? [] : [why(part[0])]),
      ...(isCure
        ? part.map(placeLine)
        : groups(part, "fix").flatMap((places) => [...places.map(placeLine), `        ${fix(places[0])}`])),
    ]),
  ];
}

/** Those that say the same, in the order of the first of each. */
function groups(told: readonly ProblemEntry[], by: "code" | "message" | "why" | "fix"): Group[] {
  const found = new Map<string, Group>();
  for (const one of told) {
    const group = found.get(one[by]);
    if (group) group.push(one);
    else found.set(one[by], [one]);
  }
  return [...found.values()];
}

function placeOf({ file, line, path }: DefinitionProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}${path ? `  ${path}` : ""}`;
}

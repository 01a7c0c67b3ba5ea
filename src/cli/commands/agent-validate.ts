import process from "node:process";
import { type CheckedDefinition, checkDefinition, drawGraph, listAgents } from "../../compose/definitions.ts";
import { E8Error } from "../../model/errors.ts";
import { oneOf, unfit } from "../../model/flag-value.ts";
import type { DefinitionProblem } from "../../model/flow/problem.ts";
import type { Language } from "../../model/phrases.ts";
import { problemText } from "../../texts/problems/problems.ts";
import { teller } from "../../texts/tell.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import { problemReport } from "../render/problem-report.ts";
import { knownWidth } from "../render/width.ts";
import { wrappedLines } from "../render/wrap.ts";
import type { Surroundings } from "../surroundings.ts";

interface ValidateFlags {
  project: string;
  json?: boolean;
  graph?: string;
}

/** Everything that is wrong with the definitions at once; exit 2 when any of it is an error. */
export async function agentValidateCommand(
  given: readonly string[],
  { project, json, graph }: ValidateFlags,
  surroundings: Surroundings,
): Promise<void> {
  const form = graphForm(graph);
  const names = given.length > 0 ? given : await listAgents(project);
  if (names.length === 0) throw new E8Error("no_agents", { directory: project });
  const checked = await Promise.all(names.map(async (name) => ({ name, ...(await checkDefinition(project, name)) })));
  if (json) surroundings.output.result(JSON.stringify(checked.map(plain), null, 2));
  else for (const one of checked) tell(one, form, surroundings);
  if (checked.some(({ problems }) => problems.some(isError))) process.exitCode = EXIT_ERROR;
}

/** A graph stands alone on standard output, so that it can be kept in a file. */
function tell(one: Named, form: GraphForm, surroundings: Surroundings): void {
  const { output, texts } = surroundings;
  for (const line of wrappedLines(report(one, surroundings), knownWidth()))
    form ? output.progress(line) : output.result(line);
  for (const line of graphLines(one, form, texts.language)) output.result(line);
}

type GraphForm = "mermaid" | "text" | undefined;

function graphForm(given: string | undefined): GraphForm {
  if (given === undefined || given === "mermaid" || given === "text") return given;
  const problem = unfit(given, oneOf(["mermaid", "text"]));
  throw new E8Error("flag_invalid", { flag: "--graph", problem, command: "agent validate" });
}

function graphLines({ definition }: CheckedDefinition, form: GraphForm, language: Language): string[] {
  return definition && form
    ? drawGraph(definition, form, teller(form === "mermaid" ? "en" : language)).split("\n")
    : [];
}

type Named = CheckedDefinition & { name: string };

function plain({ name, directory, problems }: Named): object {
  return { name, directory, valid: !problems.some(isError), problems: problems.map(spoken) };
}

/** What machines read does not change with the language. */
function spoken({ code, severity, params, ...place }: DefinitionProblem): object {
  return { code, severity, ...problemText({ code, severity, params, ...place }, "en"), ...place };
}

function report({ name, problems }: Named, { texts, output: { paint } }: Surroundings): string[] {
  const errors = problems.filter(isError).length;
  const verdict = errors === 0 ? paint("green", texts.agents.valid) : paint("red", texts.agents.errors(errors));
  const warnings = problems.length - errors;
  return [
    `${paint("bold", name)}: ${verdict}${warnings > 0 ? `, ${texts.agents.warnings(warnings)}` : ""}`,
    ...problemReport(problems, texts, paint),
  ];
}

function isError({ severity }: DefinitionProblem): boolean {
  return severity === "error";
}

import process from "node:process";
import { type CheckedDefinition, checkDefinition, drawGraph, listFlows } from "../../compose/definitions.ts";
import { E8Error } from "../../model/errors.ts";
import type { DefinitionProblem } from "../../model/flow/problem.ts";
import type { Language } from "../../model/language.ts";
import { problemText } from "../../texts/problems/problems.ts";
import { teller } from "../../texts/tell.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";
import { definitionReport, isError } from "../render/problem-report.ts";
import { chosenFlag } from "../run-flags.ts";

interface ValidateFlags {
  project: string;
  json?: boolean;
  graph?: string;
}

/** Reports all problems of the definitions; exit 2 when one of them is an error. */
export async function agentValidateCommand(
  given: readonly string[],
  { project, json, graph }: ValidateFlags,
  context: CliContext,
): Promise<void> {
  const place = { flag: "--graph", command: "agent validate" };
  const form = graph === undefined ? undefined : chosenFlag(place, graph, ["mermaid", "text"]);
  const names = given.length > 0 ? given : await listFlows(project);
  if (names.length === 0) throw new E8Error("no_agents", { directory: project });
  const checked = await Promise.all(names.map(async (name) => ({ name, ...(await checkDefinition(project, name)) })));
  if (json) context.output.json(checked.map(definitionAsJson));
  else for (const one of checked) tell(one, form, context);
  if (checked.some(({ problems }) => problems.some(isError))) process.exitCode = EXIT_ERROR;
}

/** A graph is alone on standard output, so that it can be written to a file. */
function tell(one: Named, form: GraphForm, context: CliContext): void {
  const { output, texts } = context;
  const lines = definitionReport(one, texts, output.paint);
  if (form) lines.forEach(output.progress);
  else output.page(lines);
  for (const line of graphLines(one, form, texts.language)) output.result(line);
}

type GraphForm = "mermaid" | "text" | undefined;

function graphLines({ definition }: CheckedDefinition, form: GraphForm, language: Language): string[] {
  return definition && form
    ? drawGraph(definition, form, teller(form === "mermaid" ? "en" : language)).split("\n")
    : [];
}

type Named = CheckedDefinition & { name: string };

function definitionAsJson({ name, directory, problems }: Named): object {
  return { name, directory, valid: !problems.some(isError), problems: problems.map(problemAsJson) };
}

/** Always English: JSON does not change with the language. */
function problemAsJson({ code, severity, params, ...place }: DefinitionProblem): object {
  return { code, severity, ...problemText({ code, severity, params, ...place }, "en"), ...place };
}

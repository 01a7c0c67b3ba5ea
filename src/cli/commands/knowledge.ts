import {
  type KnowledgeRequest,
  knowledgePlace,
  learn,
  listKnowledge,
  searchKnowledge,
} from "../../compose/knowledge.ts";
import { E8Error } from "../../model/errors.ts";
import { Confidence, type Knowledge, KnowledgeType } from "../../model/roles.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext, Paint } from "../output.ts";
import { fitted, fittedTable, terminalWidth } from "../render/columns.ts";
import { oneLine, printable } from "../render/lines.ts";
import { warner } from "../render/progress.ts";
import { wrapped } from "../render/wrap.ts";
import { chosenFlag, type FlagPlace, unfitFlag } from "../run-flags.ts";

interface Filters {
  project: string;
  type?: string;
  category?: string;
  minConfidence?: string;
  task?: string;
  json?: boolean;
}

export async function knowledgeListCommand(options: Filters, context: CliContext): Promise<void> {
  const { none, noneSuch } = context.texts.knowledge;
  const entries = await listKnowledge(requestOf(options, context, "knowledge list"));
  show(entries, { ...options, none: isFiltered(options) ? noneSuch : none }, context);
}

export async function knowledgeSearchCommand(
  text: string,
  options: Filters & { limit: string },
  context: CliContext,
): Promise<void> {
  const range = context.texts.values.between(1, 999_999);
  if (!/^[1-9]\d{0,5}$/.test(options.limit))
    throw unfitFlag({ flag: "--limit", command: "knowledge search" }, options.limit, range);
  const entries = await searchKnowledge(requestOf(options, context, "knowledge search"), text, Number(options.limit));
  show(entries, { ...options, none: context.texts.knowledge.noMatch }, context);
}

interface Addition {
  project: string;
  type: string;
  category: string;
  confidence: string;
  exampleFile?: string;
  json?: boolean;
}

export async function knowledgeAddCommand(
  content: string,
  options: Addition,
  { texts, output }: CliContext,
): Promise<void> {
  const { blank } = texts.knowledge;
  const entry = await learn(options.project, {
    type: chosenFlag(inAdd("--type"), options.type, KnowledgeType.options),
    category: options.category.trim(),
    content: filled(inAdd("<content>"), content, blank),
    confidence: chosenFlag(inAdd("--confidence"), options.confidence, Confidence.options),
    example_file: options.exampleFile ?? null,
  });
  if (options.json) return output.json(entry);
  output.progress(texts.knowledge.added(knowledgePlace(options.project)));
  output.progress(texts.knowledge.howToUse);
}

export async function knowledgeExportCommand(
  options: Filters & { format: string },
  context: CliContext,
): Promise<void> {
  const { texts, output } = context;
  const format = chosenFlag({ flag: "--format", command: "knowledge export" }, options.format, [
    "markdown",
    "json",
  ] as const);
  const entries = await listKnowledge(requestOf(options, context, "knowledge export"));
  if (format === "json") output.json(entries);
  else output.result(printable(knowledgeMarkdown(entries, texts)));
}

function isFiltered({ type, category, minConfidence, task }: Filters): boolean {
  return [type, category, minConfidence, task].some((one) => one !== undefined);
}

function requestOf(
  { project, type, category, minConfidence, task }: Filters,
  context: CliContext,
  command: string,
): KnowledgeRequest {
  return {
    project,
    task,
    report: warner(context),
    ...(type !== undefined && { type: chosenFlag({ flag: "--type", command }, type, KnowledgeType.options) }),
    ...(category !== undefined && { category }),
    ...(minConfidence !== undefined && {
      minimum_confidence: chosenFlag({ flag: "--min-confidence", command }, minConfidence, Confidence.options),
    }),
  };
}

function show(
  entries: readonly Knowledge[],
  { json, none }: { json?: boolean; none: string },
  { texts, output }: CliContext,
): void {
  if (json) output.json(entries);
  else if (entries.length === 0) output.progress(none);
  else for (const line of tableLines(entries, texts, output.paint)) output.result(line);
}

function tableLines(entries: readonly Knowledge[], texts: Texts, paint: Paint): string[] {
  const rows = entries.map(({ confidence, type, category, content, applied_count, source_task }) => [
    ...[confidence, type, category, content],
    ...[String(applied_count), source_task],
  ]);
  const width = terminalWidth();
  const [head, ...lines] = fittedTable([texts.knowledge.columns, ...rows], width) ?? [];
  if (head === undefined) return rows.flatMap((cells) => blockLines(cells, { texts, paint, width }));
  return [paint("bold", head), ...lines];
}

function blockLines(
  [confidence = "", type = "", category = "", content = "", used = "", source = ""]: readonly string[],
  { texts, paint, width }: { texts: Texts; paint: Paint; width: number },
): string[] {
  const [, , , , usedName, sourceName] = texts.knowledge.columns;
  return [
    paint("bold", oneLine(`${confidence} ${type} ${category}`)),
    `  ${oneLine(content)}`,
    `  ${usedName} ${used}  ${sourceName} ${fitted(source, width - 12)}`,
  ].flatMap((line) => wrapped(line, width));
}

function filled(place: FlagPlace, value: string, blank: string): string {
  if (value.trim() === "") throw new E8Error("flag_invalid", { ...place, problem: blank });
  return value.trim();
}

function inAdd(flag: string): FlagPlace {
  return { flag, command: "knowledge add" };
}

/** A page for people: a heading for each category, an item for each thing known. */
export function knowledgeMarkdown(entries: readonly Knowledge[], texts: Texts): string {
  const categories = [...new Set(entries.map(({ category }) => category))].sort();
  const sections = categories.map((category) => {
    const items = entries.filter((entry) => entry.category === category).map((entry) => item(entry, texts));
    return `## ${oneLine(category)}\n\n${items.join("\n")}`;
  });
  return [`# ${texts.knowledge.title}`, ...sections].join("\n\n");
}

/** Lines of an item that follow its first are indented, or they would leave it. */
function item(
  { content, type, confidence, example_file, source_task }: Knowledge,
  { knowledge, labeled, separator }: Texts,
): string {
  const [first = "", ...rest] = content.trim().split("\n");
  const facts = [type, confidence, labeled(knowledge.source, oneLine(source_task))];
  const example = example_file ? [labeled(knowledge.example, `\`${oneLine(example_file)}\``)] : [];
  const lines = [...rest, `(${[...facts, ...example].join(separator)})`].map((line) => `  ${line}`.trimEnd());
  return [`- ${first}`, ...lines].join("\n");
}

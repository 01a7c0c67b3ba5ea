import { type KnowledgeRequest, learn, listKnowledge, searchKnowledge } from "../../compose/knowledge.ts";
import { E8Error } from "../../model/errors.ts";
import { oneOf, unfit } from "../../model/flag-value.ts";
import type { Statement } from "../../model/message.ts";
import { Confidence, type Knowledge, KnowledgeType } from "../../model/roles.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../context.ts";
import type { Paint } from "../output.ts";
import { fitted, fittedTable, terminalWidth } from "../render/columns.ts";
import { oneLine, printable } from "../render/lines.ts";
import { warner } from "../render/progress.ts";
import { wrapped } from "../render/wrap.ts";

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
  const entries = await listKnowledge(requestOf(options, context, "list"));
  show(entries, { ...options, none: isFiltered(options) ? noneSuch : none }, context);
}

export async function knowledgeSearchCommand(
  text: string,
  options: Filters & { limit: string },
  context: CliContext,
): Promise<void> {
  const range = context.texts.values.between(1, 999_999);
  if (!/^[1-9]\d{0,5}$/.test(options.limit))
    throw wrong({ flag: "--limit", command: "search" }, unfit(options.limit, range));
  const entries = await searchKnowledge(requestOf(options, context, "search"), text, Number(options.limit));
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
    type: chosen({ flag: "--type", command: "add" }, options.type, KnowledgeType.options),
    category: filled({ flag: "--category", command: "add" }, options.category, blank),
    content: filled({ flag: "<content>", command: "add" }, content, blank),
    confidence: chosen({ flag: "--confidence", command: "add" }, options.confidence, Confidence.options),
    example_file: options.exampleFile ?? null,
  });
  if (options.json) return output.result(JSON.stringify(entry, null, 2));
  output.progress(texts.knowledge.added(".e8/knowledge.jsonl"));
  output.progress(texts.knowledge.howToUse);
}

export async function knowledgeExportCommand(
  options: Filters & { format: string },
  context: CliContext,
): Promise<void> {
  const { texts, output } = context;
  const format = chosen({ flag: "--format", command: "export" }, options.format, ["markdown", "json"] as const);
  const entries = await listKnowledge(requestOf(options, context, "export"));
  output.result(format === "json" ? JSON.stringify(entries, null, 2) : printable(knowledgeMarkdown(entries, texts)));
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
    ...(type !== undefined && { type: chosen({ flag: "--type", command }, type, KnowledgeType.options) }),
    ...(category !== undefined && { category }),
    ...(minConfidence !== undefined && {
      minimum_confidence: chosen({ flag: "--min-confidence", command }, minConfidence, Confidence.options),
    }),
  };
}

function show(
  entries: readonly Knowledge[],
  { json, none }: { json?: boolean; none: string },
  { texts, output }: CliContext,
): void {
  for (const line of json ? [JSON.stringify(entries, null, 2)] : tableLines(entries, texts, output.paint))
    output.result(line);
  if (!json && entries.length === 0) output.progress(none);
}

function tableLines(entries: readonly Knowledge[], texts: Texts, paint: Paint): string[] {
  if (entries.length === 0) return [];
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

/** Where a value stands. */
interface Place {
  flag: string;
  /** Of `e8 knowledge`. */
  command: string;
}

function chosen<T extends string>(place: Place, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw wrong(place, unfit(value, oneOf(choices)));
  return found;
}

function filled(place: Place, value: string, blank: string): string {
  if (value.trim() === "") throw wrong(place, blank);
  return value.trim();
}

function wrong({ flag, command }: Place, problem: Statement): E8Error {
  return new E8Error("flag_invalid", { flag, problem, command: `knowledge ${command}` });
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
function item({ content, type, confidence, example_file, source_task }: Knowledge, { knowledge }: Texts): string {
  const [first = "", ...rest] = content.trim().split("\n");
  const facts = [type, confidence, `${knowledge.source}: ${oneLine(source_task)}`];
  const example = example_file ? [`${knowledge.example}: \`${oneLine(example_file)}\``] : [];
  const lines = [...rest, `(${[...facts, ...example].join(", ")})`].map((line) => `  ${line}`.trimEnd());
  return [`- ${first}`, ...lines].join("\n");
}

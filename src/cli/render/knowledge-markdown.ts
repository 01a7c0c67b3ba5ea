import type { Knowledge } from "../../model/roles.ts";
import type { Texts } from "../../texts/en/catalogue.ts";

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

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

import type { Confidence, Knowledge } from "../../model/roles.ts";
import type { KnowledgeRequest } from "../ports/task-store.ts";

/** The source of knowledge that the user adds. */
export const USER = "user";

/** The entries that fit, without duplicates, the surest and youngest first. */
export function fitting(entries: Iterable<Knowledge>, request: KnowledgeRequest): Knowledge[] {
  return [...merged(entries).values()].filter((entry) => fits(entry, request)).sort(byWorth);
}

/** Merges duplicates: the surest wording, the highest count, the earliest date. */
export function merged(entries: Iterable<Knowledge>): Map<string, Knowledge> {
  const known = new Map<string, Knowledge>();
  for (const entry of entries) {
    const key = contentKey(entry.content);
    const before = known.get(key);
    known.set(key, before ? mergeTwo(before, entry) : entry);
  }
  return known;
}

/** Equal for duplicates: ignores letter case, width, white space and punctuation. */
export function contentKey(content: string): string {
  const folded = content
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, " ")
    .trim();
  return folded || content;
}

function confidenceRank(confidence: Confidence): number {
  return ["low", "medium", "high"].indexOf(confidence);
}

function fits(entry: Knowledge, { type, category, minimum_confidence = "low" }: KnowledgeRequest): boolean {
  return (
    (type === undefined || entry.type === type) &&
    (category === undefined || entry.category.toLowerCase() === category.toLowerCase()) &&
    confidenceRank(entry.confidence) >= confidenceRank(minimum_confidence)
  );
}

/** Surest first, then youngest. */
export function byWorth(left: Knowledge, right: Knowledge): number {
  const byConfidence = confidenceRank(right.confidence) - confidenceRank(left.confidence);
  return byConfidence || timeOf(right) - timeOf(left);
}

function mergeTwo(first: Knowledge, second: Knowledge): Knowledge {
  const surer = confidenceRank(second.confidence) > confidenceRank(first.confidence) ? second : first;
  return {
    ...surer,
    example_file: surer.example_file ?? first.example_file ?? second.example_file,
    applied_count: Math.max(first.applied_count, second.applied_count),
    created_at: (timeOf(second) < timeOf(first) ? second : first).created_at,
  };
}

/** Dates without a zone are UTC, as the Python endless8 wrote them. Invalid dates count as old. */
function timeOf({ created_at }: Knowledge): number {
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(created_at) ? created_at : `${created_at}Z`;
  return Date.parse(zoned) || 0;
}

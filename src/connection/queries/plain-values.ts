import type { DuckDBValue } from "@duckdb/node-api";

/** What JSON can hold. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/**
 * A value of DuckDB as JSON has it. Whole numbers too large for a JSON number become text, times become ISO 8601 in UTC, and
 * what JSON has no form for (intervals, blobs) is written as DuckDB writes it.
 */
export function plainValue(value: DuckDBValue): Plain {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if ("items" in value) return [...value.items].map(plainValue);
  if ("entries" in value) return plainEntries(value.entries);
  if ("tag" in value) return plainValue(value.value);
  if ("toDouble" in value) return value.toDouble();
  return isoTime(String(value));
}

type Entries = { readonly [name: string]: DuckDBValue } | readonly { key: DuckDBValue; value: DuckDBValue }[];

function plainEntries(entries: Entries): Plain {
  const pairs = Array.isArray(entries)
    ? entries.map(({ key, value }): [string, Plain] => [String(key), plainValue(value)])
    : Object.entries(entries).map(([key, value]): [string, Plain] => [key, plainValue(value)]);
  return Object.fromEntries(pairs);
}

/** `2026-01-23 10:00:00.5` and `… +00`, as times without and with a zone are written: here both are UTC. */
function isoTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/, "$1T$2Z");
}

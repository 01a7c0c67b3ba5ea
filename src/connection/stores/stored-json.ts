const MAX_TEXT = 500_000;

/** One record as every store has it, in one line. */
export function storedJson(record: object): string {
  return JSON.stringify(record, (_key, value) => (typeof value === "string" ? cut(storable(value)) : value));
}

/** DuckDB drops records with a lone surrogate, and PostgreSQL refuses NUL. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}… (cut)`;
}

/** The text on one line, cut to a number of characters where one is given. */
export function oneLine(text: string, length = Number.POSITIVE_INFINITY): string {
  const characters = [...printable(text).replace(/\s+/g, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}

export function indented(text: string, by: string): string[] {
  return text.split("\n").map((line) => `${by}${line}`.trimEnd());
}

/** How the parts of a duration are called. */
export interface TimeUnits {
  s: string;
  min: string;
  h: string;
}

const SYMBOLS: TimeUnits = { s: "s", min: "min", h: "h" };

/** `4.2 s`, `3 min 12 s`, `2 h 05 min`. */
export function duration(seconds: number, { s, min, h }: TimeUnits = SYMBOLS): string {
  if (seconds < 60) return `${seconds.toFixed(1)} ${s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${min} ${Math.floor(seconds % 60)} ${s}`;
  return `${Math.floor(minutes / 60)} ${h} ${String(minutes % 60).padStart(2, "0")} ${min}`;
}

export function dollars(cost: number): string {
  return `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`;
}

/** Columns padded to the widest cell, up to a limit that longer ones stand beyond; wide characters count twice, as terminals show them. */
export function table(rows: readonly (readonly string[])[], limit = Number.POSITIVE_INFINITY): string[] {
  const widest = (column: number) => rows.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? "")), 0);
  const widths = (rows[0] ?? []).map((_, column) => Math.min(limit, widest(column)));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}

/** The columns that a terminal gives to a text: two for East Asian letters and emoji, none for marks on other letters. */
export function displayWidth(text: string): number {
  if (ONE_EACH.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

const ONE_EACH = /^[\x20-\x7e]*$/;
const NONE = /^[\p{M}\p{Cf}\p{Cc}]/u;
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;
/** Letters that nothing of the same text is joined to: plain English and Japanese. */
const UNCOMBINED = /^[\x20-\x7e\u2013-\u2026\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/;
let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: it takes longer than all that `--help` does. */
export function graphemes(text: string): Iterable<{ segment: string }> {
  if (UNCOMBINED.test(text)) return Array.from(text, (segment) => ({ segment }));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  if (NONE.test(grapheme)) return 0;
  return isWide(grapheme) ? 2 : 1;
}

export function isWide(grapheme: string): boolean {
  return WIDE.test(grapheme);
}

/** The text without what would steer the terminal: colours, cursor movements, bells. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(STEERING, "").replace(/(?![\n\t])\p{Cc}/gu, "");
}

const ESCAPE = String.fromCharCode(27);
/** Colours and movements, then titles and links. Node's own `stripVTControlCharacters` takes text along before a bell. */
const STEERING = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\]\\P{Cc}*(?:\\p{Cc}\\\\?)?`, "gu");

/**
 * A text in which only these colours steer the terminal, whoever's words stand in it. What JSON may hold as it is, is written as
 * JSON may write it instead: nothing of that is lost.
 */
export function steady(text: string, colours: ReadonlySet<string>): string {
  return text
    .replace(STEERING_OR_SIGN, (found) => (colours.has(found) ? found : ""))
    .replace(/[\u007f-\u009f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const STEERING_OR_SIGN = new RegExp(`${STEERING.source}|(?![\\n\\t\\u007f-\\u009f])\\p{Cc}`, "gu");

/** The text on one line, cut to a number of columns. */
export function fitted(text: string, columns: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  if (displayWidth(line) <= columns) return line;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes(line)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Where an error came from, for those who asked for debugging. */
export function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? own : `${own}\ncaused by: ${stackOf(thrown.cause)}`;
}

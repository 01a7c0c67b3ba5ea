/** The text on one line, cut to a number of characters where one is given. */
export function oneLine(text: string, length = Number.POSITIVE_INFINITY): string {
  const characters = [...printable(text).replace(/\s+/g, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}

export function indented(text: string, by: string): string[] {
  return text.split("\n").map((line) => `${by}${line}`.trimEnd());
}

/** The text without control sequences: colours, cursor movements, bells. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(STEERING, "").replace(/(?![\n\t])\p{Cc}/gu, "");
}

const ESCAPE = String.fromCharCode(27);
/** Colours and movements, then titles and links. Node's own `stripVTControlCharacters` also removes text before a bell. */
const STEERING = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\]\\P{Cc}*(?:\\p{Cc}\\\\?)?`, "gu");

/**
 * A text in which only these colours steer the terminal, whatever is quoted in it. Control characters that JSON may hold unescaped
 * are escaped as JSON allows, so that no data is lost.
 */
export function steady(text: string, colours: ReadonlySet<string>): string {
  return text
    .replace(STEERING_OR_SIGN, (found) => (colours.has(found) ? found : ""))
    .replace(/[\u007f-\u009f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const STEERING_OR_SIGN = new RegExp(`${STEERING.source}|(?![\\n\\t\\u007f-\\u009f])\\p{Cc}`, "gu");

/** Where an error came from, for debugging. */
export function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? own : `${own}\ncaused by: ${stackOf(thrown.cause)}`;
}

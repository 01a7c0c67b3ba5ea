/** All that ends a line, for whoever reads the prompt. */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

/** Signs that are not seen or that change the order of others: control, bidi, zero-width, tags, fillers, half surrogates. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Makes a picture of the sign before it. */
const PICTURE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;

/** Foreign text with nothing unseen in it: `<U+202E>` for a sign that turns the order around. Every line end becomes the usual one. */
export function visible(text: string): string {
  const lines = text.replace(LINE_ENDS, "\n");
  if (lines.search(UNSEEN) < 0) return lines;
  const parts = lines.split(PICTURE).map((part) => part.replace(UNSEEN, codeOf));
  return parts.join("\ufe0f");
}

function codeOf(sign: string): string {
  return `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Marks every line of foreign text, so that it cannot pass for a heading or a result of ours: the quotation ends where the marks end. */
export function quoted(text: string): string {
  return text === "" ? "" : visible(text).replace(/^/gm, "> ");
}

/** A label of ours, and under it the quotation. Empty without a text. */
export function quotedUnder(label: string, text: string): string {
  return text === "" ? "" : `${label}:\n${quoted(text)}`;
}

/** Foreign words on one line, where they cannot be taken for another line of ours. */
export function onOneLine(text: string): string {
  return visible(text.replace(/\s+/g, " "));
}

/** A name that a worker chose. Anything but a plain one stands in quotes that it cannot close. */
export function nameOf(text: string): string {
  const shown = onOneLine(text);
  return PLAIN_NAME.test(shown) ? shown : JSON.stringify(shown);
}

const PLAIN_NAME = /^[^\s,"'`<>]+$/;

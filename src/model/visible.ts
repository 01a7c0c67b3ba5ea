/** Signs that are not seen or that change the order of others: control, bidi, zero-width, tags, fillers, half surrogates. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Makes a picture of the sign before it. */
const PICTURE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;

/** The text with nothing unseen in it: `<U+202E>` for a sign that turns the order around. Tabs and line feeds stay. */
export function visible(text: string): string {
  if (text.search(UNSEEN) < 0) return text;
  const parts = text.split(PICTURE).map((part) => part.replace(UNSEEN, codeOf));
  return parts.join("\ufe0f");
}

function codeOf(sign: string): string {
  return `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

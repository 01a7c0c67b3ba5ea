/** A cautious estimate: three ASCII characters a token, one token for every other character. */
export function estimateTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) other++;
  return Math.ceil((text.length - other) / 3) + other;
}

/** A text, or the part of it that fits. */
export interface Bounded {
  text: string;
  is_cut: boolean;
}

/** The beginning of a text, for prose. */
export function headOf(text: string, tokens: number): Bounded {
  const end = fitting(text, tokens);
  return { text: wellFormed(text.slice(0, end)), is_cut: end < text.length };
}

/** The end of a text, for command output, which ends with its failures. */
export function tailOf(text: string, tokens: number): Bounded {
  const length = fitting(text, tokens, true);
  return { text: wellFormed(text.slice(text.length - length)), is_cut: length < text.length };
}

/** Marks an omission in a prompt. */
export const CUT = "[… cut …]";

/** The beginning, and a mark for the rest. */
export function keepHead(text: string, tokens: number): string {
  const kept = headOf(text, tokens);
  return kept.is_cut ? `${kept.text}${CUT}` : text;
}

/** The end, after a line that marks the omitted beginning. */
export function keepTail(text: string, tokens: number): string {
  const kept = tailOf(text, tokens);
  return kept.is_cut ? `${CUT}\n${kept.text}` : text;
}

/** The first items that fit, and the number of the others. */
export function takeFitting(items: readonly string[], tokens: number): { taken: string[]; left: number } {
  const taken: string[] = [];
  let used = 0;
  for (const item of items) {
    used += estimateTokens(item) + 1;
    if (used > tokens) break;
    taken.push(item);
  }
  return { taken, left: items.length - taken.length };
}

/** How many characters from one end fit. */
function fitting(text: string, tokens: number, fromEnd = false): number {
  let thirds = tokens * 3;
  for (let count = 0; count < text.length; count++) {
    const code = text.charCodeAt(fromEnd ? text.length - 1 - count : count);
    thirds -= code > 127 ? 3 : 1;
    if (thirds < 0) return count;
  }
  return text.length;
}

/** Drops half a surrogate pair at either end. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

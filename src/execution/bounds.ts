/** A cautious guess, made without a tokenizer: three ASCII characters a token, every other character one. */
export function estimateTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) other++;
  return Math.ceil((text.length - other) / 3) + other;
}

/** The beginning of a text, for prose. */
export function keepHead(text: string, tokens: number, mark: string): string {
  const end = fitting(text, tokens);
  return end === text.length ? text : `${wellFormed(text.slice(0, end))}${mark}`;
}

/** The end of a text, for command output: failures stand there. */
export function keepTail(text: string, tokens: number, mark: string): string {
  const reversed = fitting(text, tokens, true);
  return reversed === text.length ? text : `${mark}${wellFormed(text.slice(text.length - reversed))}`;
}

/** The first line, unless it is most of the room, and the end of the rest: a check's evidence opens with how it came out. */
export function keepOutcome(text: string, tokens: number, mark: string): string {
  const first = text.slice(0, text.indexOf("\n") + 1);
  const left = tokens - estimateTokens(first);
  return left < tokens / 2 ? keepTail(text, tokens, mark) : first + keepTail(text.slice(first.length), left, mark);
}

/** As many whole items as fit, from the front, and how many did not. */
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

/** Drops half a surrogate pair that a cut may have left at either end. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

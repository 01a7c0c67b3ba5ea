import { displayWidth, graphemes } from "./columns.ts";
import { printable } from "./lines.ts";

const NARROWEST = 20;
/** Facts side by side, with gaps between them: such a line is broken at a gap. */
const FACTS = /\S(?: {2,}\S.*){2}/;
const GAP = / {2,}/g;

/** Breaks a line. Carried-over text is indented like the line; a word longer than a line stays whole, so that a path can be copied. */
export function wrapped(line: string, width: number, hanging = "  "): string[] {
  if (width < NARROWEST || widthOf(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const text = line.slice(indent.length);
  const lines: string[] = [];
  let current = indent;
  let isFresh = true;
  for (const piece of piecesOf(text, width - indent.length - hanging.length)) {
    if (!isFresh && widthOf(current + piece) > width) {
      lines.push(current.trimEnd());
      current = indent + hanging;
    }
    current += piece;
    isFresh = false;
  }
  return [...lines, current.trimEnd()];
}

/** Every line, where the width is known; piped lines stay whole. */
export function wrappedLines(lines: readonly string[], width: number | undefined): readonly string[] {
  return width === undefined ? lines : lines.flatMap((line) => wrapped(line, width));
}

function widthOf(text: string): number {
  return displayWidth(printable(text).trimEnd());
}

/** The pieces that stay together on a line if `room` columns hold them. */
function piecesOf(text: string, room: number): string[] {
  if (!FACTS.test(text)) return wordsOf(text);
  const facts = text.replace(GAP, (gap) => `${gap}\n`).split("\n");
  return facts.flatMap((fact) => (widthOf(fact) > room ? wordsOf(fact) : [fact]));
}

const CLOSING = /^[、。，．：；！？）」』】〕］｝ー…]/;
/** Only after a wide letter: a word that begins with a dot may be a path. */
const CLOSING_NARROW = /^[:;,.!?)\]}]/;
const OPENING = /[（「『【〔［｛]$/;

/** Words with the spaces behind them. East Asian text may be broken between any two letters, but not before what closes or behind what opens. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let previous = "";
  for (const grapheme of graphemes(text)) {
    const last = words.length - 1;
    if (previous === "" || mayBreak(previous, grapheme)) words.push(grapheme);
    else words[last] = `${words[last]}${grapheme}`;
    previous = grapheme;
  }
  return words;
}

function isWide(grapheme: string): boolean {
  return displayWidth(grapheme) === 2;
}

function mayBreak(left: string, right: string): boolean {
  if (right === " " || CLOSING.test(right) || OPENING.test(left)) return false;
  return left === " " || isWide(right) || (isWide(left) && !CLOSING_NARROW.test(right));
}

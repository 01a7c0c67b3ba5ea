/**
 * A word as it was written, quotes included; an operator such as `|`, `&&`, `;` or a line break; a redirection, whose
 * target is the word that follows; or the body of a here-document.
 */
export interface ShellToken {
  type: "word" | "operator" | "redirection" | "here-document";
  text: string;
  /** Of a here-document: its delimiter was quoted, so nothing in it is substituted. */
  isLiteral?: boolean;
}

/** Words after which a command begins. */
export const beforeACommand: ReadonlySet<string> = new Set(
  "! { } if elif then else while until do done fi esac time coproc".split(" "),
);

const BLANK = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** `>|`, `>&` and `&>` are redirections: their `|` and `&` do not join commands. */
const REDIRECTION = /\d*(?:<<<|<<-?|>>|<>|>\||[<>]&|&>>|&>|<(?!\()|>(?!\())/y;
const OPERATOR = /\|\||\|&|&&|;;|[|&;()\n]/y;
const PLAIN = /[^\s'"`$\\|&;()<>]+/y;
const SINGLE_QUOTES = /'[^']*'?/y;
const ESCAPING_QUOTES = /\$'(?:\\[\s\S]|[^'\\])*'?/y;
const BACKTICKS = /`(?:\\[\s\S]|[^`\\])*`?/y;
const ESCAPE = /\\[\s\S]?/y;
const EXPANSION = /\$\{/y;
const NESTED = /\$\(|[<>]\(|\(\(/y;

/** Splits a command as a shell would. A substitution is part of its word. */
export function* shellTokens(command: string): Generator<ShellToken> {
  let at: number | undefined = 0;
  while (at !== undefined) at = yield* untilHereDocument(command, at);
}

/** The tokens up to the next here-documents, and these. Returns where to go on; undefined at the end. */
function* untilHereDocument(command: string, from: number): Generator<ShellToken, number | undefined, undefined> {
  const documents: HereDocument[] = [];
  let before: ShellToken | undefined;
  for (const { token, end } of plainTokens(command, from)) {
    yield token;
    if (before?.type === "redirection" && /^\d*<<-?$/.test(before.text)) documents.push(hereDocument(before, token));
    if (token.type === "operator" && token.text === "\n" && documents.length > 0) {
      return yield* bodies(command, end, documents);
    }
    before = token;
  }
  return undefined;
}

function* plainTokens(command: string, from: number): Generator<{ token: ShellToken; end: number }> {
  let word: string | undefined;
  let at = from;
  for (const { start, end, isWord, token } of shellPieces(command, from)) {
    at = start;
    if (isWord) word = (word ?? "") + command.slice(start, end);
    else if (word !== undefined) {
      yield { token: { type: "word", text: word }, end: at };
      word = undefined;
    }
    if (token) yield { token, end };
    at = end;
  }
  if (word !== undefined) yield { token: { type: "word", text: word }, end: at };
}

/** A piece of a word (one quotation, one expansion, plain characters), or a separator between words. */
export interface ShellPiece {
  start: number;
  end: number;
  isWord: boolean;
  /** The operator or redirection; absent for a blank or a comment. */
  token?: ShellToken;
}

/** All of a command, piece by piece. The bodies of here-documents are split like commands. */
export function* shellPieces(command: string, from = 0): Generator<ShellPiece> {
  let isInWord = false;
  for (let at = from; at < command.length; ) {
    const separator = separatorAt(command, at, !isInWord);
    isInWord = separator === undefined;
    const end = separator?.end ?? pieceEnd(command, at);
    yield { start: at, end, isWord: isInWord, ...(separator?.token && { token: separator.token }) };
    at = end;
  }
}

interface HereDocument {
  delimiter: string;
  isLiteral: boolean;
  isIndented: boolean;
}

function hereDocument(redirection: ShellToken, word: ShellToken): HereDocument {
  const delimiter = word.text.replace(/\\([\s\S])|['"]/g, "$1");
  return { delimiter, isLiteral: delimiter !== word.text, isIndented: redirection.text.endsWith("-") };
}

function* bodies(
  command: string,
  start: number,
  documents: readonly HereDocument[],
): Generator<ShellToken, number, undefined> {
  let at = start;
  for (const [index, { delimiter, isLiteral, isIndented }] of documents.entries()) {
    if (index > 0) at++; // the end of the last delimiter's line
    const lines = command.slice(at).split("\n");
    const last = lines.findIndex((line) => (isIndented ? line.replace(/^\t+/, "") : line) === delimiter);
    const body = lines.slice(0, last < 0 ? lines.length : last).join("\n");
    yield { type: "here-document", text: body, isLiteral };
    at = last < 0 ? command.length : at + lines.slice(0, last + 1).join("\n").length;
  }
  return at;
}

interface Separator {
  end: number;
  token?: ShellToken;
}

/** The separator at this place, if any. A `#` begins a comment only where a word would begin. */
function separatorAt(command: string, at: number, betweenWords: boolean): Separator | undefined {
  const goesOn = !betweenWords && command[at] === "\\"; // a continued line does not end the word
  const blank = goesOn ? undefined : match(BLANK, command, at);
  const skipped = blank ?? (betweenWords ? match(COMMENT, command, at) : undefined);
  if (skipped) return { end: at + skipped.length };
  const redirection = match(REDIRECTION, command, at);
  if (redirection) return { end: at + redirection.length, token: { type: "redirection", text: redirection } };
  if (match(NESTED, command, at)) return undefined;
  const operator = match(OPERATOR, command, at);
  return operator ? { end: at + operator.length, token: { type: "operator", text: operator } } : undefined;
}

/** Where the piece of a word that begins here ends. */
export function pieceEnd(command: string, at: number): number {
  const nested = match(NESTED, command, at);
  if (nested) return closing(command, at + nested.length - 1, "()");
  if (match(EXPANSION, command, at)) return closing(command, at + 1, "{}");
  if (command[at] === '"') return quoteEnd(command, at);
  const piece = [PLAIN, SINGLE_QUOTES, ESCAPING_QUOTES, BACKTICKS, ESCAPE]
    .map((pattern) => match(pattern, command, at))
    .find((found) => found !== undefined);
  return at + (piece?.length ?? 1);
}

/** Where the bracket at `open` is closed. Only in commands, and only where a word would begin, `#` begins a comment. */
function closing(command: string, open: number, brackets: "()" | "{}"): number {
  let depth = 0;
  let mayComment = false;
  for (let at = open; at < command.length; ) {
    const comment = mayComment ? match(COMMENT, command, at) : undefined;
    at += comment?.length ?? 0;
    const sign = command[at] ?? "";
    if (sign === brackets[0]) depth++;
    if (sign === brackets[1] && --depth === 0) return at + 1;
    const isContinued = command.startsWith("\\\n", at);
    if (!isContinued) mayComment = brackets === "()" && /[\s;&|()]/.test(sign);
    at = isBracket(sign, brackets) ? at + 1 : Math.min(pieceEnd(command, at), nextBracket(command, at, brackets));
  }
  return command.length;
}

function isBracket(sign: string, brackets: string): boolean {
  return sign !== "" && brackets.includes(sign);
}

/** A plain piece may contain the closing brace. */
function nextBracket(command: string, at: number, brackets: string): number {
  const plain = match(PLAIN, command, at)?.length ?? 0;
  const found = command.slice(at, at + plain).search(brackets === "{}" ? /[{}]/ : /[()]/);
  return found > 0 ? at + found : Number.POSITIVE_INFINITY;
}

function quoteEnd(command: string, open: number): number {
  let at = open + 1;
  while (at < command.length && command[at] !== '"') {
    if (command[at] === "\\") at += 2;
    else if (command[at] === "`") at += match(BACKTICKS, command, at)?.length ?? 1;
    else if (command.startsWith("$(", at)) at = closing(command, at + 1, "()");
    else if (command.startsWith("${", at)) at = closing(command, at + 1, "{}");
    else at++;
  }
  return Math.min(at + 1, command.length);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

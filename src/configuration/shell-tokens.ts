/** A word as it was written, quotes included, or an operator such as `|`, `&&`, `;` or a line break. */
export interface ShellToken {
  type: "word" | "operator";
  text: string;
}

const BLANK = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** `>|`, `>&`, `&>` and their kin are redirections: the sign in them joins nothing. */
const REDIRECTION = /\d*(?:<<<|<<-?|>>|<>|>\||[<>]&|&>>|&>|<(?!\()|>(?!\())/y;
const OPERATOR = /\|\||\|&|&&|;;|[|&;()\n]/y;
const PLAIN = /[^\s'"`$\\|&;()<>]+/y;
const SINGLE_QUOTES = /'[^']*'?/y;
const ESCAPING_QUOTES = /\$'(?:\\[\s\S]|[^'\\])*'?/y;
const BACKTICKS = /`(?:\\[\s\S]|[^`\\])*`?/y;
const ESCAPE = /\\[\s\S]?/y;
const NESTED = /\$\(|[<>]\(|\(\(/y;

/** Splits a command as a shell would. What is substituted is part of the word; here-documents are not known. */
export function* shellTokens(command: string): Generator<ShellToken> {
  let at = 0;
  let word: string | undefined;
  while (at < command.length) {
    const separator = separatorAt(command, at, word === undefined);
    const end = separator?.end ?? pieceEnd(command, at);
    if (!separator) word = (word ?? "") + command.slice(at, end);
    else if (word !== undefined) {
      yield { type: "word", text: word };
      word = undefined;
    }
    if (separator?.operator) yield { type: "operator", text: separator.operator };
    at = end;
  }
  if (word !== undefined) yield { type: "word", text: word };
}

interface Separator {
  end: number;
  operator?: string;
}

/** What ends a word here. A `#` begins a comment only where a word would begin. */
function separatorAt(command: string, at: number, betweenWords: boolean): Separator | undefined {
  const skipped =
    match(BLANK, command, at) ??
    match(REDIRECTION, command, at) ??
    (betweenWords ? match(COMMENT, command, at) : undefined);
  if (skipped) return { end: at + skipped.length };
  if (match(NESTED, command, at)) return undefined;
  const operator = match(OPERATOR, command, at);
  return operator ? { end: at + operator.length, operator } : undefined;
}

/** Where the piece of a word that begins here ends. */
function pieceEnd(command: string, at: number): number {
  const nested = match(NESTED, command, at);
  if (nested) return closing(command, at + nested.length - 1);
  if (command[at] === '"') return quoteEnd(command, at);
  const piece = [PLAIN, SINGLE_QUOTES, ESCAPING_QUOTES, BACKTICKS, ESCAPE]
    .map((pattern) => match(pattern, command, at))
    .find((found) => found !== undefined);
  return at + (piece?.length ?? 1);
}

/** The end of what the parenthesis at `open` encloses. */
function closing(command: string, open: number): number {
  let depth = 0;
  for (let at = open; at < command.length; ) {
    if (command[at] === "(") depth++;
    if (command[at] === ")" && --depth === 0) return at + 1;
    at = /[()]/.test(command[at] ?? "") ? at + 1 : pieceEnd(command, at);
  }
  return command.length;
}

function quoteEnd(command: string, open: number): number {
  let at = open + 1;
  while (at < command.length && command[at] !== '"') {
    if (command[at] === "\\") at += 2;
    else if (command.startsWith("$(", at)) at = closing(command, at + 1);
    else at++;
  }
  return Math.min(at + 1, command.length);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

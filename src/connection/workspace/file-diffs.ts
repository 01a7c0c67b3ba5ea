/** Splits a diff without renames into those of its files, by path. A file that has become a link has two parts. */
export function splitDiff(diff: string): Map<string, string> {
  const found = new Map<string, string>();
  // Lines of a file begin with a sign; what follows a carriage return or another line end in one is part of it.
  for (const part of diff.split(/(?<![^\n])(?=diff --git )/)) {
    const path = pathIn(part.slice(0, part.indexOf("\n")));
    if (path !== undefined) found.set(path, (found.get(path) ?? "") + part);
  }
  return found;
}

/** The header has the same path twice, after `a/` and after `b/`; paths with special characters are quoted as in C. */
function pathIn(header: string): string | undefined {
  const [, both] = /^diff --git (.+)$/s.exec(header) ?? [];
  if (both === undefined) return undefined;
  const half = both.slice(0, (both.length - 1) / 2);
  return half.startsWith('"') ? unquoted(half.slice(1, -1)).slice(2) : half.slice(2);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquoted(text: string): string {
  const bytes: Buffer[] = [];
  for (const [part] of text.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith("\\")) bytes.push(Buffer.from(part));
    else if (part.length === 4) bytes.push(Buffer.from([Number.parseInt(part.slice(1), 8)]));
    else bytes.push(Buffer.from([ESCAPES[part.charAt(1)] ?? part.charCodeAt(1)]));
  }
  return Buffer.concat(bytes).toString();
}

/** A line that readers of a rendered text do not see. It tells which comment this is. */
function hiddenLine(marker: string): string {
  return `<!-- e8: ${marker.replaceAll(/[%\r\n]|-(?=-|$|>)/g, encoded)} -->`;
}

/** No two markers give the same line, and none ends the hidden line. */
function encoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

export function withMarker(body: string, marker: string): string {
  return `${body.trimEnd()}\n\n${hiddenLine(marker)}`;
}

export function hasMarker(body: string, marker: string): boolean {
  const line = hiddenLine(marker);
  return body.split("\n").some((one) => one.trim() === line);
}

export function withoutMarker(body: string): string {
  return body.replace(/\s*\n<!-- e8: [^\n]* -->\s*$/, "");
}

/** The body with a line that names the issue, unless it has one. */
export function withLink(body: string, { issue, closes }: { issue: number; closes: boolean }): string {
  const line = `${closes ? "Closes" : "Refs"} #${issue}`;
  if (body.split(/\r?\n/).includes(line)) return body;
  return [body.trimEnd(), line].filter(Boolean).join("\n\n");
}

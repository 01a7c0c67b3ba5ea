/** Markdown, line by line, as far as it decides what a line of an issue means. */
export type IssueLine =
  | { type: "text"; text: string }
  | { type: "heading"; text: string; level: number }
  /** A fenced block as a whole. `info`: the words behind its fence. */
  | { type: "fence"; info: string; content: string; source: string; is_closed: boolean }
  /** Not shown to readers, as the hints of an issue template. */
  | { type: "comment"; is_closed: boolean };

const FENCE = /^(?<indent> *)(?<fence>`{3,}|~{3,})(?<info>[^\r\n]*)$/;
const HEADING = /^ {0,3}(?<marks>#{1,6})(?:[ \t]+(?<text>.*?))?(?:[ \t]+#+)?[ \t]*$/;

/** Reads a text. Whatever it holds, every line becomes something. */
export function issueLines(text: string): IssueLine[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const read: IssueLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const { line, used } = fenceAt(lines, index) ?? commentAt(lines, index) ?? plainLine(lines[index] ?? "");
    read.push(line);
    index += used;
  }
  return read;
}

interface ReadLine {
  line: IssueLine;
  used: number;
}

function plainLine(text: string): ReadLine {
  const heading = HEADING.exec(text)?.groups;
  if (!heading) return { line: { type: "text", text }, used: 1 };
  return { line: { type: "heading", text: heading.text ?? "", level: heading.marks?.length ?? 1 }, used: 1 };
}

function fenceAt(lines: readonly string[], start: number): ReadLine | undefined {
  const { indent = "", fence, info = "" } = FENCE.exec(lines[start] ?? "")?.groups ?? {};
  if (!fence || (fence.startsWith("`") && info.includes("`"))) return undefined;
  const closing = new RegExp(`^ *${fence[0]}{${fence.length},}[ \\t]*$`);
  const length = lines.slice(start + 1).findIndex((line) => closing.test(line));
  const end = length < 0 ? lines.length : start + 1 + length;
  const content = lines.slice(start + 1, end).map((line) => withoutIndent(line, indent.length));
  const used = Math.min(end + 1, lines.length) - start;
  const source = lines.slice(start, start + used).join("\n");
  const block = { info: info.trim(), content: content.join("\n"), source, is_closed: length >= 0 };
  return { line: { type: "fence", ...block }, used };
}

function withoutIndent(line: string, most: number): string {
  const own = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(own, most));
}

function commentAt(lines: readonly string[], start: number): ReadLine | undefined {
  if (!/^\s*<!--/.test(lines[start] ?? "")) return undefined;
  const length = lines.slice(start).findIndex((line) => line.includes("-->"));
  if (length < 0) return { line: { type: "comment", is_closed: false }, used: lines.length - start };
  const rest = lines[start + length]?.split("-->").slice(1).join("-->") ?? "";
  const line: IssueLine = rest.trim() === "" ? { type: "comment", is_closed: true } : { type: "text", text: rest };
  return { line, used: length + 1 };
}

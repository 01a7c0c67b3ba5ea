import { forEachChild, parse, type SyntaxNode } from "unbash";

/** A place of `${name}`: between which quotes it stands, or whether its value would be read as code there (`odd`). */
export interface Occurrence {
  name: string;
  start: number;
  end: number;
  context: "bare" | "single" | "double" | "ansi" | "odd";
}

interface Scan {
  command: string;
  isWanted(name: string): boolean;
  found: Occurrence[];
}

/** Part of the command. */
interface Part {
  pos: number;
  end: number;
}

const NAMED = /\$\{([A-Za-z_][\w.-]*)\}/;
const ESCAPE_OR_NAMED = new RegExp(`\\\\[\\s\\S]|${NAMED.source}`, "g");

/** Every `${name}` in a command that `isWanted`, in order. Escaped ones and those in comments do not count. */
export function occurrences(command: string, isWanted: (name: string) => boolean): Occurrence[] {
  const scan: Scan = { command, isWanted, found: [] };
  // A dot or a dash belongs to a name of ours; to a shell it would be an error or an operator.
  const script = parse(command.replace(new RegExp(NAMED, "g"), (whole) => whole.replace(/[.-]/g, "_")));
  if (script.errors?.length) anywhere(scan, { pos: 0, end: command.length }, "odd");
  else visit(scan, script, "bare");
  return scan.found.sort((left, right) => left.start - right.start);
}

type Quotes = "bare" | "double";

function visit(scan: Scan, node: SyntaxNode, quotes: Quotes): void {
  if (node.type === "ParameterExpansion" && take(scan, node, quotes)) return;
  const text = textContext(node, quotes);
  if (text) anywhere(scan, node, text);
  else forEachChild(node, (child) => visit(scan, child, quotesInside(node, quotes)));
}

/** How to put a value into a node that is one text; undefined for a node with a structure of its own. */
function textContext(node: SyntaxNode, quotes: Quotes): Occurrence["context"] | undefined {
  switch (node.type) {
    case "SingleQuoted":
      return "single";
    case "AnsiCQuoted":
      return "ansi";
    case "ParameterExpansion":
    case "HereDocBody":
      return "odd";
    case "CommandExpansion":
      return isPlainScript(node.text, quotes) ? undefined : "odd";
    case "Assignment":
      return node.index ? "odd" : undefined;
    case "TestUnary":
    case "TestBinary":
      return ARITHMETIC_TEST.test(node.operator) ? "odd" : undefined;
    default:
      return /^(?:Arithmetic|ExtendedGlob|Glob)/.test(node.type) ? "odd" : undefined;
  }
}

function quotesInside({ type }: SyntaxNode, quotes: Quotes): Quotes {
  if (type === "DoubleQuoted" || type === "LocaleString") return "double";
  return type === "CommandExpansion" ? "bare" : quotes;
}

/** Backticks have rules of their own between double quotes, and with escapes in them the positions are not those of the command. */
function isPlainScript(text: string, quotes: Quotes): boolean {
  return !text.startsWith("`") || (quotes === "bare" && !text.includes("\\"));
}

/** Tests that evaluate the values of variables once more. */
export const ARITHMETIC_TEST = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

/** Every wanted name in a text without structure. Between single quotes a backslash is a plain character. */
function anywhere(scan: Scan, { pos, end }: Part, context: Occurrence["context"]): void {
  const pattern = context === "single" ? new RegExp(NAMED, "g") : ESCAPE_OR_NAMED;
  for (const { 0: whole, index } of scan.command.slice(pos, end).matchAll(pattern))
    take(scan, { pos: pos + index, end: pos + index + whole.length }, context);
}

function take(scan: Scan, { pos, end }: Part, context: Occurrence["context"]): boolean {
  const text = scan.command.slice(pos, end);
  const [whole, name = ""] = NAMED.exec(text) ?? [];
  if (whole !== text || !scan.isWanted(name)) return false;
  scan.found.push({ name, start: pos, end, context });
  return true;
}

import type { Words } from "../../model/statement.ts";
import { type Occurrence, occurrences } from "../shell/occurrences.ts";
import { evaluatesAgain } from "../shell/re-evaluation.ts";

/** A command, and what it is called with. */
export interface Interpolated {
  command: string;
  args: string[];
  /** Why the values could not be put in; the command then says so and exits 126. */
  problem?: Words;
}

/**
 * Puts values in the place of `${name}` so that each stays what it is, one word, whatever it holds and however the author
 * quoted it; each item of a list is a word of its own. Names without a value are left to the shell. Where a value would
 * be read as code (arithmetic, here-documents, `eval`, `sh -c` …), only plain ones are put in.
 */
export function interpolate(command: string, values: Readonly<Record<string, unknown>>): Interpolated {
  const found = occurrences(command, (name) => Object.hasOwn(values, name) && values[name] !== undefined);
  if (found.length === 0) return { command, args: [] };
  const isOdd = evaluatesAgain(command);
  const args: string[] = [];
  let result = "";
  let at = 0;
  for (const one of found) {
    const texts = textsOf(values[one.name]);
    const context = isOdd ? "odd" : one.context;
    if (texts.some((text) => !fits(text, context))) return refusal(one.name, context);
    result += command.slice(at, one.start) + placed(texts, context, args);
    at = one.end;
  }
  return { command: `${preamble(args.length)}${result}${command.slice(at)}`, args };
}

const PLAIN = /^[\w./:@+-]+$/;

function fits(text: string, context: Occurrence["context"]): boolean {
  return context === "odd" ? PLAIN.test(text) : !text.includes("\u0000");
}

/** Variables of its own, because functions and `set --` have other positional parameters. */
function preamble(count: number): string {
  if (count === 0) return "";
  const names = Array.from({ length: count }, (_, index) => `${variable(index)}=\${${index + 1}}`);
  return `${names.join("; ")}; shift ${count}; `;
}

function placed(texts: readonly string[], context: Occurrence["context"], args: string[]): string {
  if (context === "odd") return texts.join(" ");
  const references = texts.map((text) => `\${${variable(args.push(text) - 1)}}`);
  if (context === "bare") return references.map((reference) => `"${reference}"`).join(" ");
  const joined = references.join(" ");
  if (context === "double") return joined;
  return context === "single" ? `'"${joined}"'` : `'"${joined}"$'`;
}

function variable(index: number): string {
  return `e8_${index + 1}`;
}

function refusal(name: string, context: Occurrence["context"]): Interpolated {
  const value = `\${${name}}`;
  const problem =
    context === "odd"
      ? {
          en: `The value of ${value} stands where it would be read as code and is not plain.`,
          ja: `${value} の値はコードとして読まれる場所にあり、単純な文字だけではないため使えません。`,
        }
      : { en: `The value of ${value} holds a NUL.`, ja: `${value} の値に NUL 文字があります。` };
  return { command: `printf '%s\\n' "$1" >&2; exit 126`, args: [problem.en], problem };
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(asText);
  return [asText(value)];
}

function asText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

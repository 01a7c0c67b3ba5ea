import { textOf } from "../../model/json.ts";
import { type Message, message } from "../../model/message.ts";
import { callsIn, isShell, nameOf, names, runsCode } from "../shell/calls.ts";
import { ARITHMETIC_TEST, type Occurrence, occurrences } from "../shell/occurrences.ts";

/** A command and its arguments. */
export interface Interpolated {
  command: string;
  args: string[];
}

/**
 * Replaces `${name}` so that each value stays one word, whatever it contains and however the author quoted it; each item of a
 * list becomes a word. Names without a value are left to the shell. Where a value would be read as code (arithmetic,
 * here-documents, `eval`, `sh -c` …), only plain values are allowed; others are a problem.
 */
export function interpolate(
  command: string,
  values: Readonly<Record<string, unknown>>,
): Interpolated | { problem: Message } {
  const found = occurrences(command, (name) => Object.hasOwn(values, name) && values[name] !== undefined);
  if (found.length === 0) return { command, args: [] };
  const isOdd = evaluatesAgain(command);
  const args: string[] = [];
  let result = "";
  let at = 0;
  for (const one of found) {
    const texts = textsOf(values[one.name]);
    const context = isOdd ? "odd" : one.context;
    if (texts.some((text) => !fits(text, context)))
      return { problem: message(context === "odd" ? "value_read_as_code" : "value_holds_nul", { name: one.name }) };
    result += command.slice(at, one.start) + placed(texts, context, args);
    at = one.end;
  }
  return { command: `${preamble(args.length)}${result}${command.slice(at)}`, args };
}

const PLAIN = /^[\w./:@+-]+$/;

function fits(text: string, context: Occurrence["context"]): boolean {
  return context === "odd" ? PLAIN.test(text) : !text.includes("\u0000");
}

/** Named variables, because functions and `set --` replace the positional parameters. */
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

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

const REEVALUATING = names("eval let trap alias declare typeset local unset ssh su parallel sed awk gawk mawk");

/** Whether some command reads its arguments as code once more: then a quoted value is no longer safe in it. */
function evaluatesAgain(command: string): boolean {
  return callsIn(command).some(({ program, args }) =>
    [program, ...args].some((word, index) => reevaluates(nameOf(word), args.slice(index))),
  );
}

function reevaluates(name: string, rest: readonly string[]): boolean {
  if (REEVALUATING.has(name)) return true;
  if (name === "test" || name === "[") return rest.some((word) => ARITHMETIC_TEST.test(word));
  const hasCode = rest.some((word) => /^(?:-[a-zA-Z]*[ce]|--eval|--command|--print|-p|-r|eval)$/.test(word));
  return hasCode && (isShell(name) || runsCode(name));
}

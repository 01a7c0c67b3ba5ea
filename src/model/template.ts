import { E8Error } from "./errors.ts";

/** Names are words of any language: a parameter, or a field that a step hands on, may be called 課題. */
const PLACEHOLDER = /\{uv-([\p{L}\p{M}\p{N}_.-]+)\}/gu;

/** A prompt text and where it came from. */
export interface Template {
  file: string;
  text: string;
}

/** Fills `{uv-name}` placeholders, once: what a value contains is never expanded. An unfilled one is an error. */
export function fillTemplate({ file, text }: Template, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new E8Error("placeholder_unfilled", { file, name });
    return value;
  });
}

/** The names that a text asks for. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

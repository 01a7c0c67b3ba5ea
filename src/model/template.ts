import { E8Error } from "./errors.ts";

/** Names may be in any language, such as 課題. */
const PLACEHOLDER = /\{uv-([\p{L}\p{M}\p{N}_.-]+)\}/gu;

/** A prompt text and its file. */
export interface Template {
  file: string;
  text: string;
}

/** Fills `{uv-name}` placeholders. Does not expand placeholders in values. Throws for an unfilled one. */
export function fillTemplate({ file, text }: Template, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new E8Error("placeholder_unfilled", { file, name });
    return value;
  });
}

/** The names of a text's placeholders. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

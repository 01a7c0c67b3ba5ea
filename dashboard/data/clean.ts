import { visible } from "../../src/model/visible.ts";

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** A text of an agent, a file or an issue may hold signs that hide others or turn their order around: all are made visible on arrival. */
function clean(text: string): string {
  return PLAIN.test(text) ? text : visible(text.replaceAll("\r\n", "\n"));
}

/** Reads JSON in which no text is left as it came. */
export function parseClean<T>(json: string): T {
  return JSON.parse(json, (_, value: unknown) => (typeof value === "string" ? clean(value) : value)) as T;
}

import { visible as withCodes } from "../../model/visible.ts";

/** All that ends a line, for whoever reads the prompt. */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

/** Foreign text with nothing unseen in it. Every line end becomes the usual one. */
export function visible(text: string): string {
  return withCodes(text.replace(LINE_ENDS, "\n"));
}

/** Marks every line of foreign text, so that it cannot pass for a heading or a result of ours: the quotation ends where the marks end. */
export function quoted(text: string): string {
  return text === "" ? "" : visible(text).replace(/^/gm, "> ");
}

/** A label of ours, and under it the quotation. Empty without a text. */
export function quotedUnder(label: string, text: string): string {
  return text === "" ? "" : `${label}:\n${quoted(text)}`;
}

/** Foreign words on one line, where they cannot be taken for another line of ours. */
export function onOneLine(text: string): string {
  return visible(text.replace(/\s+/g, " "));
}

/** A name that a worker chose. Anything but a plain one stands in quotes that it cannot close. */
export function nameOf(text: string): string {
  const shown = onOneLine(text);
  return PLAIN_NAME.test(shown) ? shown : JSON.stringify(shown);
}

const PLAIN_NAME = /^[^\s,"'`<>]+$/;

const OPEN = ["$", "{"].join("");

/** `«x}` as a shell spells it: in a string literal the real thing would look like a mistaken template. */
export function spell(text: string): string {
  return text.replaceAll("«", OPEN);
}

const LONGEST = 1000;

/** Another program's words, as long as a record or a terminal can take them. */
export function shortMessage(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

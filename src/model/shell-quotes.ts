/** Quotes a text as one word for POSIX shells and zsh. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A word as it is typed into a shell: quoted only where it must be. */
export function asTyped(path: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(path) ? path : shellQuoted(path);
}

/** One word that a POSIX shell, zsh included, takes as it is. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path as one types it into a shell. */
export function asTyped(path: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(path) ? path : shellQuoted(path);
}

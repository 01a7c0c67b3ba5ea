/** The name of a file as it is typed behind a flag. */
export function typed(file: string): string {
  return /\s/.test(file) ? `"${file}"` : file;
}

export function interpolate(
  command: string,
  _values: Readonly<Record<string, unknown>>,
): { command: string; args: string[] } {
  return { command, args: [] };
}

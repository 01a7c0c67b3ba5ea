/** What an agent was called with, as text: a name and a value each. */
export function givenParameters({ parameters }: { parameters: Readonly<Record<string, unknown>> }): [string, string][] {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

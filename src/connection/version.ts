import { readFileSync } from "node:fs";

let known: string | undefined;

export function packageVersion(): string {
  known ??= versionIn(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return known;
}

function versionIn(manifest: string): string {
  return (JSON.parse(manifest) as { version: string }).version;
}

import { isRecord, jsonIn } from "../../model/json.ts";

/** The keys of package.json that no check rests on. Everything else may change what a check runs. */
const FREE_KEYS = new Set(
  "name version description keywords homepage bugs license author contributors funding repository dependencies devDependencies peerDependencies optionalDependencies peerDependenciesMeta private files bin engines packageManager".split(
    " ",
  ),
);

/** The sections of a TOML manifest that no check rests on. */
const FREE_SECTIONS =
  /^(project|project\.(optional-)?dependencies|build-system|dependency-groups|package|(dev-|build-)?dependencies|workspace\.dependencies|tool\.poetry|tool\.poetry\..*dependencies|tool\.uv.*)$/;

/** Whether a manifest's text decides about its change. */
export function isCompared(path: string): boolean {
  return /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml)$/.test(path);
}

/**
 * Whether a manifest's change touches what the checks rest on. An added dependency does not; another test script does. A manifest
 * that cannot be read counts as touched.
 */
export function touchesChecks(path: string, before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return true;
  if (path.endsWith("package.json")) return relevantJson(before) !== relevantJson(now);
  if (/(pyproject|Cargo)\.toml$/.test(path)) return relevantToml(before) !== relevantToml(now);
  return true;
}

function relevantJson(text: string): string {
  const value = jsonIn(text);
  if (!isRecord(value)) return text;
  const kept = Object.entries(value).filter(([key]) => !FREE_KEYS.has(key));
  return JSON.stringify(kept.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function relevantToml(text: string): string {
  const kept: string[] = [];
  let isFree = false;
  for (const line of text.split("\n").map((one) => one.trim())) {
    const section = /^\[+([^\]]+)\]+/.exec(line)?.[1];
    if (section !== undefined) isFree = FREE_SECTIONS.test(section.trim());
    if (!isFree && line !== "" && !line.startsWith("#")) kept.push(line);
  }
  return kept.join("\n");
}

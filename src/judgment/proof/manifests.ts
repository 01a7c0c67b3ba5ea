import { isRecord, jsonIn } from "../../model/json.ts";

const DEPENDENCY_KEYS = "dependencies devDependencies peerDependencies optionalDependencies".split(" ");

/** The keys of package.json that no check rests on. Everything else may change what a check runs. */
const FREE_KEYS = new Set(
  "name version description keywords homepage bugs license author contributors funding repository peerDependenciesMeta private files bin engines packageManager".split(
    " ",
  ),
);

/** The sections of a TOML manifest that no check rests on. */
const FREE_SECTIONS =
  /^(project|project\.(optional-)?dependencies|build-system|dependency-groups|package|(dev-|build-)?dependencies|workspace\.dependencies|tool\.poetry|tool\.poetry\..*dependencies|tool\.uv.*)$/;

/** Whether a manifest's text decides about its change. */
export function isComparedManifest(path: string): boolean {
  return /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/.test(path);
}

/**
 * Whether a manifest's change touches what the checks rest on. An added dependency does not; another test script does. A manifest
 * that cannot be read counts as touched.
 */
export function touchesChecks(path: string, before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return true;
  if (path.endsWith("package.json")) return relevantJson(before) !== relevantJson(now);
  if (/(pyproject|Cargo)\.toml$/.test(path)) return relevantToml(before) !== relevantToml(now);
  return path.endsWith("go.mod") ? relevantModules(before) !== relevantModules(now) : true;
}

/** Whether a changed package.json asks for other packages. Other manifests and lock files do nothing else. */
export function asksForPackages(path: string, before: string | undefined, now: string | undefined): boolean {
  if (!path.endsWith("package.json") || before === undefined || now === undefined) return true;
  const [then, current] = [jsonIn(before), jsonIn(now)];
  if (!isRecord(then) || !isRecord(current)) return true;
  return DEPENDENCY_KEYS.some((key) => JSON.stringify(then[key]) !== JSON.stringify(current[key]));
}

function relevantJson(text: string): string {
  const value = jsonIn(text);
  if (!isRecord(value)) return text;
  const kept = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    if (!DEPENDENCY_KEYS.includes(key)) return FREE_KEYS.has(key) ? [] : [[key, held]];
    const local = isRecord(held) ? Object.entries(held).filter(([, version]) => isLocal(version)) : [];
    return local.length > 0 ? [[key, local]] : [];
  });
  return JSON.stringify(kept.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** A package that lies in the project, or is another one under a known name. */
function isLocal(version: unknown): boolean {
  return typeof version === "string" && /^(file:|link:|portal:|npm:|\.|\/|~\/)/.test(version);
}

function relevantModules(text: string): string {
  return text
    .split("\n")
    .filter((line) => /=>|^\s*(replace|exclude|toolchain)\b/.test(line))
    .join("\n");
}

function relevantToml(text: string): string {
  const kept: string[] = [];
  let isFree = false;
  for (const line of text.split("\n").map((one) => one.trim())) {
    const section = /^\[+([^\]]+)\]+/.exec(line)?.[1];
    if (section !== undefined) isFree = FREE_SECTIONS.test(section.trim());
    const isLocalPackage = /\bpath\s*=/.test(line);
    if ((!isFree || isLocalPackage) && line !== "" && !line.startsWith("#")) kept.push(line);
  }
  return kept.join("\n");
}

import { isRecord, jsonIn } from "../../model/json.ts";

const DEPENDENCY_KEYS = "dependencies devDependencies peerDependencies optionalDependencies require require-dev".split(
  " ",
);

/** The keys of package.json and composer.json that no check rests on. Everything else may change what a check runs. */
const FREE_KEYS = new Set(
  "name version description keywords homepage bugs license author authors contributors funding support repository peerDependenciesMeta private files bin engines".split(
    " ",
  ),
);

/** The sections of a TOML manifest that no check rests on. */
const FREE_SECTIONS =
  /^(metadata|project|project\.(optional-)?dependencies|build-system|dependency-groups|package|(dev-)?packages|requires|(dev-|build-)?dependencies|workspace\.dependencies|tool\.poetry|tool\.poetry\..*dependencies|tool\.uv(\.(?!index|sources).*)?)$/;
/** What lies in such a section and says where packages come from, what is built or what is found. */
const TELLING_KEY =
  /^(auto(tests|bins|examples|benches|lib)|build|build-backend|backend-path|links|[\w.-]*(index|sources|find-links|override|constraint)[\w.-]*|entry-points.*|scripts.*)\s*=|\bpath\s*=|[@=]\s*["']?(git\+)?file:/;

/** Whether a manifest's text decides about its change. */
export function isComparedManifest(path: string): boolean {
  return COMPARED.test(path) || isLock(path);
}

const COMPARED =
  /(^|\/)(package\.json|composer\.json|pyproject\.toml|uv\.toml|Cargo\.toml|Pipfile|go\.mod|Gemfile|mix\.exs|setup\.cfg)$/;

/** Files that say which package is installed, and from where. */
export function isLock(path: string): boolean {
  return /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|(poetry|uv|pdm|Cargo|Pipfile|composer|Gemfile)\.lock|requirements[^/]*\.txt)$/.test(
    path,
  );
}

/**
 * Whether a manifest's change touches what the checks rest on. An added dependency does not; another test script does. A manifest
 * that cannot be read counts as touched.
 */
export function touchesChecks(path: string, before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return true;
  if (/(package|composer)\.json$/.test(path)) return relevantJson(before) !== relevantJson(now);
  if (/(\.toml|Pipfile|setup\.cfg)$/.test(path)) return relevantToml(before) !== relevantToml(now);
  if (/(Gemfile|mix\.exs)$/.test(path)) return relevantLines(before) !== relevantLines(now);
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
  return typeof version === "string" && /^((git\+)?file:|link:|portal:|npm:|\.|\/|~\/)/.test(version);
}

function relevantModules(text: string): string {
  return text
    .split("\n")
    .filter((line) => /=>|^\s*(replace|exclude|ignore|toolchain)\b/.test(line))
    .join("\n");
}

function relevantToml(text: string): string {
  const kept: string[] = [];
  let isFree = false;
  for (const line of text.split("\n").map((one) => one.trim())) {
    const section = /^\[+([^\]]+)\]+/.exec(line)?.[1];
    if (section !== undefined) isFree = FREE_SECTIONS.test(section.trim());
    const isTelling = section === undefined && TELLING_KEY.test(line);
    if ((!isFree || isTelling) && line !== "" && !line.startsWith("#")) kept.push(line);
  }
  return kept.join("\n");
}

/** A Gemfile and a mix.exs are programs: all but the lines that ask for a package, unless it lies in the project. */
function relevantLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const isPlain = (line: string) => /^(gem\b|\{:\w+,|#|$)/.test(line) && !/\bpath\b|\bgit\b.*file:/.test(line);
  return lines.filter((line) => !isPlain(line)).join("\n");
}

const LOCAL_SOURCE =
  /["'\s:@=+(]file:|"type":\s*"path"|^--?(i|f|index-url|extra-index-url|find-links)\b|\b(path|directory|editable|url)\s*=\s*"(?!\.")(?!https:)|^\s*PATH$|^-e\s+\S|^\.{0,2}\/|@\s*\.{0,2}\//;

/** Whether a lock file has a package come from another place than a registry that did not before. */
export function leadsElsewhere(path: string, before: string, now: string): boolean {
  if (/(package-lock|npm-shrinkwrap)\.json$/.test(path)) {
    const known = new Map(originsIn(before));
    return originsIn(now).some(([place, origin]) => {
      const then = known.get(place);
      return then === undefined ? isLocal(origin) : then !== origin && !isOwn(place, origin);
    });
  }
  const known = new Set(before.split("\n"));
  return now.split("\n").some((line) => !known.has(line) && LOCAL_SOURCE.test(line));
}

/** Where the installed packages come from, by their place. Those that lie in the project as a workspace are links, and left out. */
function originsIn(text: string): [place: string, origin: string][] {
  const lock = jsonIn(text);
  if (!isRecord(lock) || !isRecord(lock.packages)) return [];
  return Object.entries(lock.packages).flatMap(([place, entry]): [string, string][] => {
    const isTold =
      place.includes("node_modules/") && isRecord(entry) && !entry.link && typeof entry.resolved === "string";
    return isTold ? [[place, String(entry.resolved)]] : [];
  });
}

/** Whether it is what a registry has under the name of the package. */
function isOwn(place: string, origin: string): boolean {
  return /^https?:/.test(origin) && origin.includes(`/${place.split("node_modules/").at(-1)}/-/`);
}

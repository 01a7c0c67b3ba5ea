import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const MOST_STAMPS = 2000;
const MOST_OF_PACKAGE = 100;
const LOADED = /\.(py|pth|so|pyd|[cm]?js|node|json|pm|pl|rb|jar|class|lua|php|ini|[cm]?ts)$|^[^.]+$/;
const WRITTEN = /^(__pycache__|\..*|.*\.(pyc|log|tmp|lock))$/;

/** What programs could load from a directory, to the second level: the names, and of files the size and the time of the last change. */
export function modulesIn(folder: string, most = MOST_STAMPS): string | undefined {
  const entries = entriesIn(folder);
  if (!entries) return undefined;
  const found = entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    const inside = entry.isDirectory() ? (entriesIn(path) ?? []).map((one) => stampOf(path, one)) : [];
    return [stampOf(folder, entry), ...inside];
  });
  const stamps = found.filter((one) => one !== undefined).slice(0, most);
  return createHash("sha256").update(stamps.join("\n")).digest("base64url");
}

const MOST_PACKAGES = 300;

/** The packages in a directory of Python's: the path of each, and what it looks like. */
export function packagesIn(site: string): [path: string, look: () => string | undefined][] {
  const entries = (entriesIn(site) ?? []).filter(({ name }) => !/\.((dist|egg)-info|pth|egg-link)$/.test(name));
  return entries.slice(0, MOST_PACKAGES).map((entry) => {
    const path = join(site, entry.name);
    return [path, () => (entry.isDirectory() ? modulesIn(path, MOST_OF_PACKAGE) : stampOf(site, entry))];
  });
}

/** A link may lead to a directory, whose times say nothing. */
function stampOf(folder: string, entry: Dirent): string | undefined {
  if (entry.isDirectory()) return `${entry.name}/`;
  if (!LOADED.test(entry.name)) return undefined;
  const path = join(folder, entry.name);
  const { size, ctimeMs, ino } = lstatSync(path);
  return [path, size, ctimeMs, ino].join(" ");
}

function entriesIn(folder: string): Dirent[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !WRITTEN.test(name)).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return undefined; // it is not there, or is a file
  }
}

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Directories with packages of Pythons that checks start. */
export interface PythonSites {
  /** Those of the user, which come before those of a Python. */
  user: readonly string[];
  /** Those of the Pythons. */
  others: readonly string[];
  /** Those of the user, and of environments that the user has made elsewhere. */
  own: readonly string[];
  /** The libraries that these lie in. */
  libraries: readonly string[];
}

/** `programs`: Pythons that checks start. */
export function sitesOf(home: string, programs: readonly string[]): PythonSites {
  const roots = programs.length > 0 ? [...new Set([...programs.flatMap(rootsOf), ...versionsOf(home)])] : [];
  const ofUser = librariesIn(join(home, ".local"));
  const ofOthers = roots
    .filter((root) => root !== join(home, ".local"))
    .map((root) => ({ root, all: librariesIn(root) }));
  const user = ofUser.flatMap(sitesIn);
  const environments = ofOthers.filter(({ root }) => existsSync(join(root, "pyvenv.cfg")));
  return {
    user,
    others: ofOthers.flatMap(({ all }) => all.flatMap(sitesIn)),
    own: programs.length > 0 ? [...user, ...environments.flatMap(({ all }) => all.flatMap(sitesIn))] : [],
    libraries: [...ofUser, ...ofOthers.flatMap(({ all }) => all)],
  };
}

function librariesIn(root: string): string[] {
  const library = join(root, "lib");
  return namesIn(library)
    .filter((name) => /^python[\d.]*$/.test(name))
    .map((name) => join(library, name));
}

function sitesIn(library: string): string[] {
  return ["site-packages", "dist-packages"].map((one) => join(library, one));
}

/** Files that the Pythons of this user load when they start, and what names plugins that pytest loads. */
export function pythonFiles({ libraries }: PythonSites): string[] {
  const folders = libraries.flatMap((library) => [library, ...sitesIn(library)]);
  return folders.flatMap((folder) => namesIn(folder).flatMap((name) => loadedByPython(join(folder, name))));
}

/** The directories that a Python, or a link to one, may belong to. */
function rootsOf(program: string): string[] {
  return [program, realpathSync.native(program)].map((path) => dirname(dirname(path)));
}

/** Behind its programs on the PATH, a version manager has Pythons elsewhere. */
function versionsOf(home: string): string[] {
  const versions = join(process.env.PYENV_ROOT || join(home, ".pyenv"), "versions");
  return ["/usr/local", ...namesIn(versions).map((name) => join(versions, name))];
}

const PYTHON_START = /\/(site|user)customize\.py$/;

function loadedByPython(path: string): string[] {
  if (PYTHON_START.test(path) || (path.endsWith(".pth") && runs(path))) return [path];
  const points = join(path, "entry_points.txt");
  const isPlugin =
    /\.(egg|dist)-info$/.test(path) && existsSync(points) && readFileSync(points, "utf8").includes("pytest11");
  return isPlugin ? [points] : [];
}

/** Other lines only name directories. */
function runs(path: string): boolean {
  return /^import[ \t]/m.test(readFileSync(path, "utf8"));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

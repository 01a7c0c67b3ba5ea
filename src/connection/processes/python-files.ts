import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files that the Pythons of this user load when they start, and what names plugins that pytest loads. `programs`: Pythons that checks start. */
export function pythonFiles(home: string, programs: readonly string[]): string[] {
  const roots = programs.length > 0 ? [...programs.flatMap(rootsOf), ...versionsOf(home)] : [];
  const libraries = [...new Set([join(home, ".local"), ...roots])].map((root) => join(root, "lib"));
  return libraries.flatMap((library) =>
    namesIn(library)
      .filter((name) => /^python[\d.]*$/.test(name))
      .flatMap((name) => [
        join(library, name),
        ...["site-packages", "dist-packages"].map((one) => join(library, name, one)),
      ])
      .flatMap((folder) => namesIn(folder).flatMap((name) => loadedByPython(join(folder, name)))),
  );
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

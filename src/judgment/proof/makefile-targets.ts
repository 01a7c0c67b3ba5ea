/** A rule of a makefile with its recipe. */
const RULE = /^([\w./-]+(?:[ \t]+[\w./-]+)*)[ \t]*:(?!=)([^\n]*)\n?((?:\t[^\n]*\n?)*)/gm;
const PHONY = /^\.PHONY[ \t]*:([^\n]*)/gm;

/**
 * Whether a file of this name keeps make from running a recipe that a check asks for: the recipe is no build of the file, so make would
 * take its work for done.
 */
export function stopsTarget(path: string, commands: readonly string[]): boolean {
  const name = path.split("/")[0] ?? path;
  const goals = commands.flatMap((command) =>
    [...command.matchAll(/\bg?make\b([^;&|\n]*)/g)].map(([, words = ""]) => words),
  );
  if (!goals.some((words) => words.split(/\s+/).includes(name))) return false;
  const phony = commands.flatMap((command) =>
    [...command.matchAll(PHONY)].flatMap(([, words = ""]) => words.split(/\s+/)),
  );
  if (phony.includes(name)) return false;
  return commands.some((command) =>
    [...command.matchAll(RULE)].some(
      ([, targets = "", inline = "", recipe = ""]) =>
        targets.split(/\s+/).includes(name) && !builds(`${inline.split(";")[1] ?? ""}${recipe}`, name),
    ),
  );
}

/** An empty recipe leaves the work to other rules. */
function builds(recipe: string, name: string): boolean {
  return recipe.trim() === "" || recipe.includes("$@") || recipe.split(/[\s"'=/]+/).includes(name);
}

const COMPUTED_INCLUDE = /^[ \t]*-?s?include\b[^\n]*\$[({]/m;

/** Whether a makefile includes files by a computed name, and this may be one of them that does more than to list what depends on what. */
export function isComputedInclude(path: string, now: string | undefined, commands: readonly string[]): boolean {
  if (!/\.(d|mk|make|dep|inc)$/.test(path) || !commands.some((command) => COMPUTED_INCLUDE.test(command))) return false;
  const lines = (now ?? "=").replaceAll("\\\n", " ").split("\n");
  return !lines.every((line) => /^\s*(#.*)?$|^[^\s:=|;][^:=|;\t]*:[^:=|;$]*$/.test(line));
}

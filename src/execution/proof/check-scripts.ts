import type { Workspace } from "../../connection/ports/workspace.ts";
import { checksOf, isStarted } from "../../judgment/proof/check-programs.ts";
import { askedIn, functionsIn, importsIn } from "../../judgment/proof/check-text.ts";
import type { Criterion } from "../../model/criterion.ts";
import { isRecord, jsonIn } from "../../model/json.ts";
import type { RunContext } from "../run-context.ts";

/** How deep scripts call scripts. */
const ROUNDS = 4;
const MOST_SCRIPTS = 50;

interface Behind {
  commands: readonly string[];
  start: string;
  paths: readonly string[];
  /** Programs whose output a check compares are what it tests: they are not read. */
  judges_only?: boolean;
}

/**
 * The commands of the checks, and the texts of what they run, as they were at the start: scripts of package.json, makefiles, scripts of
 * the project, and what these run in turn. Of programs in other languages, the modules beside them that they import.
 */
export async function commandsBehind(
  { textsAt }: Pick<Workspace, "textsAt">,
  { commands, start, paths, judges_only = false }: Behind,
): Promise<string[]> {
  const found = [...commands];
  const seen = new Set<string>();
  let latest = found;
  for (let round = 0; round < ROUNDS && latest.length > 0 && seen.size < MOST_SCRIPTS; round += 1) {
    const functions = functionsIn(found);
    const isRun = runBy(judges_only ? latest.map((text) => askedIn(text, functions).judging) : latest);
    const named = paths.filter((path) => !seen.has(path) && isRun(path)).slice(0, MOST_SCRIPTS);
    for (const path of named) seen.add(path);
    const texts = await textsAt(start, named);
    latest = [...texts].flatMap(([path, text]) => {
      if (MANIFEST.test(path)) return scriptsIn(text, found);
      return isScript(path) || !PROGRAM.test(path) ? [text] : importsIn(text);
    });
    found.push(...latest);
  }
  return found;
}

export function commandsIn(criteria: readonly Criterion[]): string[] {
  return criteria.flatMap((criterion) => (criterion.type === "command" ? [criterion.command] : []));
}

/** The same for the task's own start. */
export async function scriptsOfChecks(
  { ports }: Pick<RunContext, "ports">,
  commands: readonly string[],
  start = ports.store.task.start,
): Promise<string[]> {
  if (start === undefined) return [...commands];
  return commandsBehind(ports.workspace, { commands, start, paths: await ports.workspace.paths(start) });
}

const MANIFEST = /(^|\/)package\.json$/;
const MAKEFILE = /(^|\/)((GNU)?[Mm]akefile|[^/]+\.mk|[Jj]ustfile|Taskfile\.ya?ml)$/;
const RUNS_SCRIPTS = /\b(npm|npx|yarn|pnpm|bun|node --run)\b/;
const RUNS_TARGETS = /\b(g?make|just|task)\b/;
/** A program in another language than the shell also names files that it only reads. */
const SCRIPT = /(^|\/)[^/.]+$|\.(ba|z|da|k)?sh$|(^|\/)(scripts?|ci|\.ci|tools?|hack|checks?)\//;
/** A file in a folder that may be named without its ending. */
const MODULE = /\/[^/]+\.([cm]?[jt]sx?|py|rb)$/;

const PROGRAM = /\.([cm]?[jt]sx?|py|rb|pl|php|lua|R|jl)$/;

function isScript(path: string): boolean {
  return SCRIPT.test(path) || MAKEFILE.test(path);
}

function runBy(texts: readonly string[]): (path: string) => boolean {
  const [runsScripts, runsTargets] = [RUNS_SCRIPTS, RUNS_TARGETS].map((one) => texts.some((text) => one.test(text)));
  const checks = checksOf(texts, "");
  const words = new Set(
    texts.flatMap((text) => text.split(/[\s;&|<>()'"`=,]+/)).map((word) => word.replace(/^\.\//, "")),
  );
  return (path) => {
    if (MANIFEST.test(path)) return runsScripts === true;
    if (MAKEFILE.test(path)) return runsTargets === true;
    if (!SCRIPT.test(path)) return isStarted(path, checks);
    const parts = path.split("/");
    const isNamed = (name: string) => words.has(name) || (MODULE.test(name) && words.has(name.replace(/\.\w+$/, "")));
    return parts.some((_, index) => isNamed(parts.slice(index).join("/")));
  };
}

/** The scripts of a manifest that are run by name, with those that npm runs before and after them. */
function scriptsIn(manifest: string, callers: readonly string[]): string[] {
  const value = jsonIn(manifest);
  const scripts = isRecord(value) && isRecord(value.scripts) ? Object.entries(value.scripts) : [];
  const run = new Map<string, string>();
  for (let known = -1; known < run.size; ) {
    known = run.size;
    const words = new Set([...callers, ...run.values()].flatMap((text) => text.split(/[\s;&|]+/)));
    const isCalled = (name: string) => words.has(name) || words.has(name.replace(/^(pre|post)/, ""));
    for (const [name, command] of scripts) if (typeof command === "string" && isCalled(name)) run.set(name, command);
  }
  return [...run.values()];
}

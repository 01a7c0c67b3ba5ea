import { closest, distance } from "fastest-levenshtein";
import { ProjectFile, TaskFile } from "../model/configuration.ts";
import { lastPart, type SchemaGuide } from "./schema-guide.ts";

/** What to do about a key that is not known where it stands. */
export function keyAdvice(key: string, group: readonly PropertyKey[], guide: SchemaGuide): string {
  const near = nearest(key, guide.keys(group));
  const home = guide.homes(key)[0];
  if (home !== undefined) return `unknown key here: ${place(home)}${near ? `, or did you mean ${near}?` : ""}`;
  if (group.length === 0 && Object.hasOwn(TaskFile.shape, key)) return "belongs in task.yaml, not among the defaults";
  if (group.length === 0 && Object.hasOwn(ProjectFile.shape, key)) return "belongs in endless8.yaml";
  const meant = near ?? nearestPath(key, guide);
  return meant ? `unknown key: did you mean ${meant}?` : `unknown key: known here are ${guide.keys(group).join(", ")}`;
}

function place(home: string): string {
  return home ? `it belongs under ${home}` : "it belongs to the top level";
}

function nearestPath(key: string, guide: SchemaGuide): string | undefined {
  const near = nearest(key, guide.paths.map(lastPart));
  return near && guide.paths.find((path) => lastPart(path) === near);
}

/** Close enough to be a slip of the pen, or a key cut short. */
function nearest(key: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(key, known);
  if (distance(key, best) <= Math.max(1, Math.floor(best.length / 3))) return best;
  return key.length < 4 ? undefined : known.find((candidate) => candidate.startsWith(key));
}

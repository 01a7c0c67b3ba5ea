import { ProjectFile, TaskFile } from "../model/configuration.ts";
import { type Statement, worded } from "../model/statement.ts";
import { nearest } from "./agents/nearest.ts";
import { lastPart, type SchemaGuide } from "./schema-guide.ts";

/** What to do about a key that is not known where it stands. */
export function keyAdvice(key: string, group: readonly PropertyKey[], guide: SchemaGuide): Statement {
  const near = nearest(key, guide.keys(group));
  const home = guide.homes(key)[0];
  if (home !== undefined) return elsewhere(home, near);
  if (group.length === 0 && Object.hasOwn(TaskFile.shape, key))
    return { en: "belongs in task.yaml, not among the defaults", ja: "既定値ではなく task.yaml に書くキーです" };
  if (group.length === 0 && Object.hasOwn(ProjectFile.shape, key))
    return { en: "belongs in endless8.yaml", ja: "endless8.yaml に書くキーです" };
  return unknown(near ?? nearestPath(key, guide), guide.keys(group).join(", "));
}

function elsewhere(home: string, near: string | undefined): Statement {
  return worded(
    () =>
      `unknown key here: it belongs ${home ? `under ${home}` : "to the top level"}${near ? `, or did you mean ${near}?` : ""}`,
    () =>
      `ここにはないキーです。${home ? `${home} の下` : "最上位"}に書いてください${near ? `（または ${near} の間違い）` : ""}`,
  );
}

function unknown(meant: string | undefined, known: string): Statement {
  return meant
    ? { en: `unknown key: did you mean ${meant}?`, ja: `知らないキーです。${meant} ではありませんか` }
    : { en: `unknown key: known here are ${known}`, ja: `知らないキーです。ここに書けるのは ${known}` };
}

function nearestPath(key: string, guide: SchemaGuide): string | undefined {
  const near = nearest(key, guide.paths.map(lastPart));
  return near && guide.paths.find((path) => lastPart(path) === near);
}

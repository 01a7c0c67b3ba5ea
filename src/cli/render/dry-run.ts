import { type ConfiguredTask, pipeNotices } from "../../compose/tasks.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { noticeText } from "../../texts/sentences.ts";
import type { Paint } from "../output.ts";
import { table } from "./columns.ts";

/** One long criterion must not push the sources of all other settings out of sight. */
const PADDING = 40;

/** Every value of the configuration with where it came from, and what to look out for. */
export function dryRunLines({ configuration, sources }: ConfiguredTask, texts: Texts, paint: Paint): string[] {
  const rows = leaves(configuration, "").map(([path, value]) => [
    path,
    value,
    texts.dryRun.source(sourceOf(path, sources)),
  ]);
  const warnings = pipeNotices(configuration.criteria).map((notice) => noticeText(notice, texts.language));
  return [
    paint("bold", texts.dryRun.title),
    ...table(rows, PADDING),
    ...warnings.map((warning) => paint("yellow", `${texts.warning}: ${warning}`)),
  ];
}

function leaves(value: unknown, path: string): [string, string][] {
  if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, one]) => leaves(one, path === "" ? key : `${path}.${key}`));
  if (path === "criteria" && Array.isArray(value))
    return value.map((one, index) => [`${path}[${index}]`, JSON.stringify(one)]);
  return [[path, JSON.stringify(value)]];
}

/** The source of the value itself or of the nearest thing around it. */
function sourceOf(path: string, sources: Record<string, string>): string {
  const around = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  return sources[path] ?? (around < 0 ? "default" : sourceOf(path.slice(0, around), sources));
}

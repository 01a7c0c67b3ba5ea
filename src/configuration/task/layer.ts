import type { Statement } from "../../model/message.ts";

/** One value, and where it was set: `task.yaml:12`, `flag --model`, `ENDLESS8_MAX_ITERATIONS`, `default`. */
export interface Setting {
  value: unknown;
  source: string;
  /** Whether it is a list that adds to that of a lower layer, instead of replacing it. */
  adds?: boolean;
  /** The places of a new task file that still have the text which `e8 init` put there. */
  unfilled?: readonly Statement[];
}

/** The settings of one place, by dotted path. */
export type Layer = ReadonlyMap<string, Setting>;

/** Groups whose keys are set one by one. Everything else is one value, lists included. */
const GROUPS = new Set([
  "models",
  "budget",
  "logging",
  "claude_options",
  "claude_options.max_turns",
  "notify",
  "prompts",
  "worktree",
  "finalize",
]);

/** Makes a layer of nested settings. */
export function layerOf(settings: object, sourceOf: (path: string) => string): Map<string, Setting> {
  return new Map(leaves(settings, "").map(([path, value]) => [path, { value, source: sourceOf(path) }]));
}

/** For every key the last layer that sets it, and what higher ones add. */
export function overlay(lowestFirst: readonly Layer[]): Map<string, Setting> {
  const all = new Map<string, Setting>();
  for (const [path, setting] of lowestFirst.flatMap((layer) => [...layer])) {
    const lower = setting.adds ? all.get(path) : undefined;
    all.set(path, lower ? added(lower, setting) : setting);
  }
  return all;
}

function added(lower: Setting, higher: Setting): Setting {
  const value = [...new Set([lower, higher].flatMap((setting) => setting.value))];
  return { ...lower, value, source: `${lower.source}, ${higher.source}` };
}

/** The nested form of a layer's values. */
export function nested(layer: Layer): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, { value }] of layer) {
    const steps = path.split(".");
    const last = steps.pop() ?? path;
    let group = root;
    for (const step of steps) {
      group[step] ??= {};
      group = group[step] as Record<string, unknown>;
    }
    group[last] = value;
  }
  return root;
}

function leaves(settings: object, prefix: string): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
    const path = prefix + key;
    if (value === undefined) return [];
    return GROUPS.has(path) ? leaves(value as object, `${path}.`) : [[path, value]];
  });
}

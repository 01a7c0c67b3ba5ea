import { isRecord } from "../../../model/json.ts";
import type { Place, Report } from "../report.ts";
import { follow } from "../schema/pointer.ts";
import { type JsonFile, parsedJson } from "./json-file.ts";

/**
 * The files that override agent.json, lowest first: the project's `.agent/config.json` and the agent's own `config.json`. Each may
 * hold the sections of `runner` (agent, flow, completion or verdict, boundaries, integrations, actions, execution, logging), plain or
 * under `runner`. Groups are merged key by key; everything else, lists included, is replaced. A layer that
 * changes the type of a completion replaces its config, too.
 */
export interface Overrides {
  /** The project's config.json, as text. */
  config?: string;
}

interface RunnerLayer {
  place(path: readonly PropertyKey[]): Place | undefined;
  runner: Readonly<Record<string, unknown>>;
}

export interface LayeredAgentFile {
  data: unknown;
  /** Where the value at a path was set. */
  place(path: readonly PropertyKey[]): Place;
}

export function layerAgentFile(
  agent: JsonFile,
  files: ReadonlyMap<string, string>,
  overrides: Overrides,
  report: Report,
): LayeredAgentFile {
  const layers = [
    fileLayer("../config.json", overrides.config, report),
    fileLayer("config.json", files.get("config.json"), report),
  ].filter((layer) => layer !== undefined);
  const own = isRecord(agent.data) ? agent.data : {};
  const runner = layers.reduce<unknown>((lower, layer) => merged(lower, layer.runner), own.runner);
  const placeOf = (path: readonly PropertyKey[]) => layers.toReversed().flatMap((layer) => layer.place(path) ?? [])[0];
  return {
    data: runner === undefined ? own : { ...own, runner },
    place: (path) => placeOf(path) ?? { file: agent.name, path },
  };
}

function fileLayer(name: string, text: string | undefined, report: Report): RunnerLayer | undefined {
  const file = text === undefined ? undefined : parsedJson(name, text, report);
  if (!file || !isRecord(file.data)) return undefined;
  const { $schema: _, worktree, ...sections } = file.data;
  const key = "worktree";
  if (worktree !== undefined)
    report.add("AGENT_KEY_WITHOUT_EFFECT", { file: name, path: [key] }, { key, reason: "orchestrated" });
  const isNested = isRecord(sections.runner);
  const runner = isNested ? (sections.runner as RunnerLayer["runner"]) : sections;
  return {
    runner,
    place: ([head, ...rest]) =>
      head === "runner" && rest.length > 0 && follow(runner, rest.map(String)) !== undefined
        ? { file: name, path: isNested ? ["runner", ...rest] : rest }
        : undefined,
  };
}

function merged(lower: unknown, upper: unknown): unknown {
  if (!isRecord(lower) || !isRecord(upper)) return upper;
  if (typeof upper.type === "string" && upper.type !== lower.type && "config" in lower) return upper;
  const keys = [...new Set([...Object.keys(lower), ...Object.keys(upper)])];
  const value = (key: string) => (key === "agent" ? upper[key] : merged(lower[key], upper[key])); // one agent, not a group
  return Object.fromEntries(keys.map((key) => [key, key in upper ? value(key) : lower[key]]));
}

import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import type { SettingsSchemas } from "./agent-settings.ts";
import type { Layer, Setting } from "./layer.ts";
import { DEFAULT_MODEL } from "./models.ts";
import { readSetting } from "./settings-file.ts";

/** Variables and the keys they set; `like` is the key of task.yaml whose rules apply. */
const VARIABLES = [
  { variable: "ENDLESS8_MAX_ITERATIONS", path: "max_iterations", like: "max_iterations" },
  { variable: "ENDLESS8_DEFAULT_MODEL", path: DEFAULT_MODEL, like: "agent_model" },
] as const;

/** A variable that is empty counts as unset. */
export function environmentLayer(environment: Environment, schemas: SettingsSchemas): Layer {
  const layer = new Map<string, Setting>();
  for (const { variable, path, like } of VARIABLES) {
    const text = environment[variable]?.trim();
    if (!text) continue;
    const read = readSetting(like, text, schemas);
    if ("problem" in read) throw new E8Error("environment_invalid", { variable, problem: read.problem });
    layer.set(path, { value: read.value, source: variable });
  }
  return layer;
}

import { apiModelOf } from "../../model/api-model.ts";
import { NO_MODEL } from "../../model/configuration.ts";
import { DEFAULTS } from "../../model/limits.ts";
import { Role } from "../../model/roles.ts";
import type { Layer, Setting } from "./layer.ts";
import { withoutAnthropic } from "./model-names.ts";

/** Where the environment layer keeps ENDLESS8_DEFAULT_MODEL, which no file can set. */
export const DEFAULT_MODEL = "default_model";

/**
 * Which model each role gets. For every role, from the highest layer down, and within a layer in this order:
 *
 * - executor: `models.executor`, `claude_options.model`; when no layer has either, `agent_model`
 * - intake, summarizer, judge: `models.<role>`, `agent_model`
 *
 * So a general key of a higher layer beats a role's own key of a lower one: a task's `claude_options.model` beats the project's `models.executor`. `agent_model` is about the roles around the
 * executor, so it never displaces a model chosen for the executor, in whatever layer. Below all layers stands
 * ENDLESS8_DEFAULT_MODEL, then sonnet. That variable chooses a model but does not demand one: a command agent's summaries
 * stay mechanical until the summarizer is given a model.
 *
 * A model over an API is never the executor's: a key for several roles that names one does not apply to the executor. In
 * the keys of the Python endless8, `anthropic:x` means Claude Code with model x.
 */
export function resolveModels(highestFirst: readonly Layer[], agentIsCommand: boolean): Map<string, Setting> {
  return new Map(
    Role.options.map((role) => {
      const layers = highestFirst.map((layer) => modelsFor(role, layer));
      const chosen =
        first(layers, choices(role)) ?? first(layers, ["agent_model"]) ?? fallback(role, layers, agentIsCommand);
      return [`models.${role}`, chosen];
    }),
  );
}

/** The model keys of a layer that apply to a role. */
function modelsFor(role: Role, layer: Layer): Layer {
  const entries = [...layer].filter(([path]) => isModelKey(path));
  const spelled = entries.map(([path, setting]): [string, Setting] => {
    const meansClaude = role === "executor" || !path.startsWith("models.");
    return [path, meansClaude ? { ...setting, value: withoutAnthropic(setting.value) } : setting];
  });
  const passesBy = (path: string, { value }: Setting) =>
    role === "executor" && GENERAL_KEYS.includes(path) && apiModelOf(String(value)) !== undefined;
  return new Map(spelled.filter(([path, setting]) => !passesBy(path, setting)));
}

/** Keys from which several roles get their model. */
const GENERAL_KEYS = [DEFAULT_MODEL, "agent_model"];

/** Whether a key is resolved into `models`. */
export function isModelKey(path: string): boolean {
  return [...GENERAL_KEYS, "claude_options.model"].includes(path) || path.startsWith("models.");
}

function choices(role: Role): string[] {
  return [`models.${role}`, role === "executor" ? "claude_options.model" : "agent_model"];
}

function fallback(role: Role, layers: readonly Layer[], agentIsCommand: boolean): Setting {
  if (role === "summarizer" && agentIsCommand) return { value: NO_MODEL, source: "default" };
  return first(layers, [DEFAULT_MODEL]) ?? { value: DEFAULTS.model, source: "default" };
}

function first(layers: readonly Layer[], paths: readonly string[]): Setting | undefined {
  return layers.flatMap((layer) => paths.map((path) => layer.get(path))).find((setting) => setting !== undefined);
}

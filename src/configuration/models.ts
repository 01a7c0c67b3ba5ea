import { NO_MODEL } from "../model/configuration.ts";
import { Role } from "../model/roles.ts";
import type { Layer, Setting } from "./layer.ts";

/** Where the environment layer keeps ENDLESS8_DEFAULT_MODEL, which no file can set. */
export const DEFAULT_MODEL = "default_model";

/**
 * Which model each role gets. For every role, from the highest layer down, and within a layer in this order:
 *
 * - executor: `models.executor`, `claude_options.model`; when no layer has either, `agent_model`
 * - intake, summarizer, judge: `models.<role>`, `agent_model`
 *
 * So what a higher layer says in general terms beats what a lower one says of that role, as with every other key: a
 * task's `claude_options.model` beats the project's `models.executor`. `agent_model` is about the roles around the
 * executor, so it never displaces a model chosen for the executor, in whatever layer. Below all layers stands
 * ENDLESS8_DEFAULT_MODEL, then sonnet. That variable says which model, not whether: a command agent's summaries stay
 * mechanical until somebody gives the summarizer a model.
 */
export function resolveModels(highestFirst: readonly Layer[], agentIsCommand: boolean): Map<string, Setting> {
  return new Map(
    Role.options.map((role) => {
      const chosen =
        first(highestFirst, choices(role)) ??
        first(highestFirst, ["agent_model"]) ??
        fallback(role, highestFirst, agentIsCommand);
      return [`models.${role}`, { ...chosen, value: withoutProvider(chosen.value) }];
    }),
  );
}

/** The keys that went into `models`. */
export function isModelKey(path: string): boolean {
  return [DEFAULT_MODEL, "agent_model", "claude_options.model"].includes(path) || path.startsWith("models.");
}

function choices(role: Role): string[] {
  return [`models.${role}`, role === "executor" ? "claude_options.model" : "agent_model"];
}

function fallback(role: Role, layers: readonly Layer[], agentIsCommand: boolean): Setting {
  if (role === "summarizer" && agentIsCommand) return { value: NO_MODEL, source: "default" };
  return first(layers, [DEFAULT_MODEL]) ?? { value: "sonnet", source: "default" };
}

function first(layers: readonly Layer[], paths: readonly string[]): Setting | undefined {
  return layers.flatMap((layer) => paths.map((path) => layer.get(path))).find((setting) => setting !== undefined);
}

/** The Python endless8 wrote `anthropic:claude-sonnet-4-5`, as its model library wanted it. */
function withoutProvider(model: unknown): unknown {
  return typeof model === "string" ? model.replace(/^anthropic:/, "") : model;
}

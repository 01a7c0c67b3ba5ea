import { apiModelOf } from "../../model/api-model.ts";
import { NO_MODEL } from "../../model/configuration.ts";
import { type Criterion, isCheck } from "../../model/criterion.ts";
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
 * - reviewers: `reviewers`, `models.reviewer`; when no layer has either, the judge's model
 *
 * So a general key of a higher layer beats a role's own key of a lower one: a task's `claude_options.model` beats the project's `models.executor`. `agent_model` is about the roles around the
 * executor, so it never displaces a model chosen for the executor, in whatever layer. Below all layers stands
 * ENDLESS8_DEFAULT_MODEL, then sonnet; where the agent that answers has a model of its own, neither counts. That variable chooses a model but does not
 * demand one: a command agent's summaries stay mechanical until the summarizer is given a model.
 *
 * A model over an API is never the executor's: a key for several roles that names one does not apply to the executor. In
 * the keys of the Python endless8, `anthropic:x` means Claude Code with model x.
 */
export function resolveModels(
  highestFirst: readonly Layer[],
  { isProgram, usual, criteria }: ModelsBasis,
): Map<string, Setting> {
  const models = SINGLE_ROLES.map((role): [string, Setting] => {
    const layers = highestFirst.map((layer) => modelsFor(role, layer));
    const chosen =
      first(layers, choices(role)) ?? first(layers, ["agent_model"]) ?? fallback(role, layers, { isProgram, usual });
    return [`models.${role}`, chosen];
  });
  const judges = new Map(models).get("models.judge") ?? { value: DEFAULTS.model, source: "default" };
  const judge = { ...judges, value: [judges.value].flat()[0] };
  const isAtHand = !isProgram || !criteria.every(isCheck) || apiModelOf(String(judge.value)) !== undefined;
  return new Map([
    ...models,
    ...judgeSettings(judges),
    ["reviewers", reviewers(highestFirst, isAtHand ? judge : undefined)],
  ]);
}

/** What the models depend on besides the layers. */
interface ModelsBasis {
  /** The agent answers in no role but the executor's. */
  isProgram: boolean;
  /** The model of the agent that answers in the roles, where it has one of its own. */
  usual: string | null;
  criteria: readonly Criterion[];
}

/** `models.judge` may be a list. The first one is the role's model, of which there is always one. */
export function judgeSettings({ value, ...setting }: Setting): [string, Setting][] {
  const models = [...new Set([value].flat())];
  return [
    ["models.judge", { ...setting, value: models[0] }],
    ["judges", { ...setting, value: models.length > 1 ? models : [] }],
  ];
}

type SingleRole = Exclude<Role, "reviewer">;
const SINGLE_ROLES = Role.options.filter((role) => role !== "reviewer");

/**
 * Those that a layer names, else the judge's model, so that a user with only an API key needs no Claude Code. A run that needs no model
 * for anything else has no reviewer unless one is named. `agent_model` of a higher layer beats reviewers of a lower one, as for other roles.
 */
function reviewers(highestFirst: readonly Layer[], judge: Setting | undefined): Setting {
  const layer = highestFirst.find((one) => REVIEWER_KEYS.some((key) => one.has(key)));
  const own = layer?.get("reviewers") ?? layer?.get("models.reviewer");
  return own ?? { value: judge ? [judge.value] : [], source: judge?.source ?? "default" };
}

const REVIEWER_KEYS = ["reviewers", "models.reviewer", "agent_model"];

/** The model keys of a layer that apply to a role. */
function modelsFor(role: SingleRole, layer: Layer): Layer {
  const entries = [...layer].filter(([path, { value }]) => isModelKey(path) && [value].flat().length > 0);
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
  return [...GENERAL_KEYS, "claude_options.model", "reviewers"].includes(path) || path.startsWith("models.");
}

function choices(role: SingleRole): string[] {
  return [`models.${role}`, role === "executor" ? "claude_options.model" : "agent_model"];
}

function fallback(
  role: SingleRole,
  layers: readonly Layer[],
  { isProgram, usual }: Omit<ModelsBasis, "criteria">,
): Setting {
  if (role === "summarizer" && isProgram) return { value: NO_MODEL, source: "default" };
  if (usual !== null) return { value: usual, source: "default" };
  return first(layers, [DEFAULT_MODEL]) ?? { value: DEFAULTS.model, source: "default" };
}

function first(layers: readonly Layer[], paths: readonly string[]): Setting | undefined {
  return layers.flatMap((layer) => paths.map((path) => layer.get(path))).find((setting) => setting !== undefined);
}

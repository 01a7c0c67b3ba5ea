import {
  type Completion,
  type CompletionConfig,
  CompletionType,
  laterNames,
  PRESENT,
} from "../../../model/flow/agent-file.ts";
import { type CompletionConfigJson, CompletionJson, type RunnerJson } from "../../../model/flow/agent-json.ts";
import { isRecord } from "../../../model/json.ts";
import { message } from "../../../model/message.ts";
import { nearest } from "../../nearest.ts";
import { type CompletionContext, checkHandler, readResource } from "./resource.ts";
import { readShape } from "./shape.ts";

type Path = readonly PropertyKey[];
type ConfigKey = keyof CompletionConfigJson;

/** The keys that each type must and may have, besides the common ones. */
const KEYS: Record<CompletionType, { needs: readonly ConfigKey[]; may: readonly ConfigKey[] }> = {
  stepMachine: { needs: [], may: ["registryPath"] },
  externalState: { needs: [], may: ["resourceType", "targetState", "issueParam", "path", "command"] },
  iterationBudget: { needs: ["maxIterations"], may: [] },
  checkBudget: { needs: [], may: ["maxChecks"] },
  keywordSignal: { needs: ["completionKeyword"], may: ["verdictKeyword"] },
  structuredSignal: { needs: ["signalType"], may: ["requiredFields"] },
  composite: { needs: ["operator", "conditions"], may: [] },
  custom: { needs: ["handlerPath"], may: [] },
  criteria: { needs: ["criteria"], may: [] },
};
const COMMON: readonly ConfigKey[] = ["maxIterations", "entryStep", "registryPath"];
const DEFAULT_CHECKS = 10;

const NOTHING: Completion = { type: "iterationBudget", config: { maxIterations: 1 } };

export function readCompletion(
  runner: RunnerJson,
  key: "completion" | "verdict",
  context: CompletionContext,
): Completion {
  const json = runner[key];
  if (!json) {
    context.report.add("AGENT_COMPLETION_MISSING", context.place(["runner"]), {});
    return NOTHING;
  }
  if (runner.completion && runner.verdict) {
    context.report.add("AGENT_COMPLETION_TWICE", context.place(["runner", "verdict"]), {});
  }
  return completionOf(json, ["runner", key], context);
}

function completionOf(json: CompletionJson, path: Path, context: CompletionContext): Completion {
  const type = completionType(json.type);
  if (!type) {
    const details = { type: json.type, known: CompletionType.options, nearest: nearest(json.type, COMPLETION_NAMES) };
    context.report.add("AGENT_COMPLETION_TYPE", context.place([...path, "type"]), details);
    return NOTHING;
  }
  const config = json.config ?? {};
  checkKeys(type, config, [...path, "config"], context);
  return { type, config: configOf(type, config, [...path, "config"], context) };
}

/** The completion types' names in both generations. */
export const COMPLETION_NAMES: readonly string[] = [...CompletionType.options, ...Object.values(laterNames)];

/** The completion type with this name, of either generation. */
export function completionType(name: string): CompletionType | undefined {
  return CompletionType.options.find((type) => type === name || laterNames[type] === name);
}

function checkKeys(type: CompletionType, config: CompletionConfigJson, path: Path, context: CompletionContext): void {
  const { report, place } = context;
  const given = { ...config, completionKeyword: config.completionKeyword ?? config.verdictKeyword };
  for (const key of KEYS[type].needs) {
    if (given[key] !== undefined) continue;
    report.add("AGENT_COMPLETION_CONFIG", place([...path, key]), { type, key });
  }
  const known = new Set([...KEYS[type].needs, ...KEYS[type].may, ...COMMON]);
  for (const key of Object.keys(config) as ConfigKey[]) {
    if (config[key] === undefined || known.has(key)) continue;
    report.add("AGENT_COMPLETION_UNUSED", place([...path, key]), { key, type });
  }
}

function configOf(
  type: CompletionType,
  json: CompletionConfigJson,
  path: Path,
  context: CompletionContext,
): CompletionConfig {
  const keyword = json.completionKeyword ?? json.verdictKeyword;
  const common: CompletionConfig = {
    ...(json.maxIterations !== undefined && { maxIterations: json.maxIterations }),
    ...(json.entryStep !== undefined && { entryStep: json.entryStep }),
    ...(json.registryPath !== undefined && { registryPath: json.registryPath }),
  };
  switch (type) {
    case "externalState":
      return { ...common, ...readResource(json, path, context) };
    case "checkBudget":
      return { ...common, maxChecks: json.maxChecks ?? DEFAULT_CHECKS };
    case "keywordSignal":
      return { ...common, ...(keyword !== undefined && { completionKeyword: keyword }) };
    case "structuredSignal":
      return {
        ...common,
        ...(json.signalType && { signalType: json.signalType }),
        ...requiredFields(json, path, context),
      };
    case "composite":
      return {
        ...common,
        ...(json.operator && { operator: json.operator }),
        conditions: conditionsOf(json, path, context),
      };
    case "custom":
      checkHandler(json.handlerPath, context, context.place([...path, "handlerPath"]));
      return { ...common, ...(json.handlerPath !== undefined && { handlerPath: json.handlerPath }) };
    case "criteria":
      return { ...common, ...(json.criteria && { criteria: json.criteria }) };
    default:
      return common;
  }
}

function requiredFields(
  json: CompletionConfigJson,
  path: Path,
  { report, place }: CompletionContext,
): CompletionConfig {
  const fields = json.requiredFields;
  if (fields === undefined) return {};
  if (isRecord(fields)) return { requiredFields: fields };
  if (Array.isArray(fields) && fields.every((field) => typeof field === "string")) {
    return { requiredFields: Object.fromEntries(fields.map((field) => [field, PRESENT])) };
  }
  const details = { problem: message("fields_malformed", {}), allowed: '{"status": "ready"}, ["reason"]' };
  report.add("AGENT_VALUE_INVALID", place([...path, "requiredFields"]), details);
  return {};
}

function conditionsOf(json: CompletionConfigJson, path: Path, context: CompletionContext): Completion[] {
  const { report } = context;
  return (json.conditions ?? []).flatMap((condition, index) => {
    const here = [...path, "conditions", index];
    if (!isRecord(condition)) {
      const problem = message("completion_malformed", { value: JSON.stringify(condition) });
      report.add("AGENT_VALUE_INVALID", context.place(here), { problem, allowed: '{"type": …, "config": {…}}' });
      return [];
    }
    const place = (inner: Path) => context.place([...here, ...inner]);
    const read = readShape(condition, { schema: CompletionJson, report, place });
    return read ? [completionOf(read, here, context)] : [];
  });
}

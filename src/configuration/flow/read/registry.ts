import { type Completion, laterNames } from "../../../model/flow/agent-file.ts";
import type { FlowDefinition, ResolvedSchema } from "../../../model/flow/definition.ts";
import { type RegistryJson, registryJson } from "../../../model/flow/registry-json.ts";
import { isDeadEnd, type Step } from "../../../model/flow/steps-registry.ts";
import { attachCompletionSteps, closureSteps } from "../check/completion-steps.ts";
import { type Draft, stepPlace } from "../check/draft.ts";
import { checkEntry, checkFlow } from "../check/flow.ts";
import { checkGates } from "../check/gates.ts";
import { checkInputs, checkRunners } from "../check/inputs.ts";
import { flowGraph, hasStrangeIntents } from "../check/paths.ts";
import { checkStepAgents, type FlowAgents } from "../check/step-agents.ts";
import { readPatterns, readValidators } from "../check/validators.ts";
import type { Report } from "../report.ts";
import { enumAt, whyUnusable } from "../schema/fields.ts";
import { schemaResolver } from "../schema/resolve.ts";
import type { ReadAgentFile } from "./agent.ts";
import { openJson } from "./json-file.ts";
import { insideFlow } from "./prompt-files.ts";
import { checkSentences, readPrompts } from "./prompts.ts";
import { oncePerAccess, readShape } from "./shape.ts";
import { readSteps } from "./steps.ts";

type Rest = Omit<FlowDefinition, "directory" | "agent">;

/** Reads the registry and all files that it names. Without a readable agent.json it checks as much as it can. */
export function readRegistry(
  files: ReadonlyMap<string, string>,
  read: ReadAgentFile | undefined,
  { report, access, agents }: { report: Report; access: readonly string[]; agents: FlowAgents },
): Rest | undefined {
  const opened = openJson(files, insideFlow(read?.registry ?? "steps_registry.json"), report);
  if (!opened) return undefined;
  const file = opened.name;
  const json = readShape(opened.data, { schema: registrySchema(access), report, place: (path) => ({ file, path }) });
  if (!json) return undefined;
  const steps = readSteps(json, file, read?.generation ?? 2, report);
  const schemasBase = insideFlow(json.schemasBase ?? read?.schemasBase ?? "schemas");
  const schemas = resolveSchemas({ files, file, steps, schemasBase }, report);
  const completion = read?.agent.runner.completion;
  const entry = entryOf(json, completion, steps);
  const graph = flowGraph(steps, (step) => isDoubtful(json, step, schemas[step.stepId]));
  const found = { steps, schemas, schemasBase, completion: completion?.type, entry, graph };
  const draft = { report, files, file, json, ...found };
  const choice = read?.agent.runner.agent;
  const ofFlow = choice !== undefined && read ? { choice, place: read.place(["runner", "agent"]) } : undefined;
  checkStepAgents(draft, agents, ofFlow);
  return checked(draft, read);
}

function checked(draft: Draft, read: ReadAgentFile | undefined): Rest | undefined {
  const { json, report, steps, schemas, entry } = draft;
  const parameters = Object.keys(read?.agent.parameters ?? {});
  if (read && json.agentId !== read.agent.name) {
    const details = { agentId: json.agentId, name: read.agent.name };
    report.add("AGENT_NAME_MISMATCH", { file: draft.file, path: ["agentId"] }, details);
  }
  checkFlow(draft);
  checkGates(draft);
  checkInputs(draft, parameters);
  const failurePatterns = readPatterns(draft);
  const validators = readValidators(draft, parameters);
  const completionSteps = attachCompletionSteps(draft);
  if (!read) return undefined;
  checkRunners(draft, parameters);
  checkClosing(draft, read);
  checkSentences(draft, read, completionSteps);
  const { agentId, version, c1 } = json;
  return {
    registry: { agentId, version, c1, steps, failurePatterns, validators, completionSteps },
    entryStep: entry ?? "",
    isGated: isGated(steps),
    schemas,
    ...readPrompts(draft, read, { completionSteps, failurePatterns }),
  };
}

/** The completion's own entry, its type's entry in either vocabulary, or the common one. */
function entryOf(
  json: RegistryJson,
  completion: Completion | undefined,
  steps: Readonly<Record<string, Step>>,
): string | undefined {
  const { entryStep, entryStepMapping = {} } = json;
  const type = completion?.type;
  const candidates = [
    completion?.config.entryStep,
    ...(type === undefined ? [] : [entryStepMapping[type], entryStepMapping[laterNames[type]]]),
    entryStep,
  ];
  return candidates.find((step) => step !== undefined && Object.hasOwn(steps, step) && !isDeadEnd(steps, step));
}

/** A gate whose intents are reported as wrong. */
function isDoubtful(json: RegistryJson, step: Step, resolved: ResolvedSchema | undefined): boolean {
  const gate = json.steps[step.stepId]?.structuredGate;
  if (!gate) return false;
  if (hasStrangeIntents(step, gate.allowedIntents)) return true;
  const values = resolved && "schema" in resolved ? enumAt(resolved.schema, gate.intentSchemaRef) : undefined;
  return values?.some((value) => !gate.allowedIntents.includes(value)) ?? false;
}

function resolveSchemas(
  { files, file, steps, schemasBase }: Pick<Draft, "files" | "file" | "steps" | "schemasBase">,
  report: Report,
): Record<string, ResolvedSchema> {
  const resolve = schemaResolver(files, schemasBase);
  const schemas: Record<string, ResolvedSchema> = {};
  for (const { stepId, outputSchemaRef } of Object.values(steps)) {
    if (!outputSchemaRef) continue;
    const resolved = resolve(outputSchemaRef);
    const code = "problem" in resolved ? "SCHEMA_UNRESOLVED" : "SCHEMA_UNUSABLE";
    const problem = "problem" in resolved ? resolved.problem : whyUnusable(resolved.schema);
    const place = stepPlace({ file }, stepId, "outputSchemaRef");
    if (problem !== undefined) report.add(code, place, { ...outputSchemaRef, problem });
    schemas[stepId] = resolved;
  }
  return schemas;
}

/** With gates, only a closing signal leads to completion, so one must be possible. A step machine needs a gate. */
function checkClosing(draft: Draft, { agent, generation, place }: ReadAgentFile): void {
  const { type, config } = agent.runner.completion;
  const key = generation === 1 ? "completion" : "verdict";
  const where = place(["runner", key, "type"]);
  const { entryStep } = config;
  if (entryStep !== undefined) checkEntry(draft, entryStep, place(["runner", key, "config", "entryStep"]));
  if (agent.runner.integrations.github.enabled && closureSteps(draft).length === 0) {
    const hook = place(["runner", "integrations", "github", "enabled"]);
    draft.report.add("AGENT_KEY_WITHOUT_EFFECT", hook, { key: "integrations.github", reason: "never_closing" });
  }
  if (!isGated(draft.steps)) {
    if (type === "stepMachine") draft.report.add("AGENT_NO_GATE", where, { type });
    return;
  }
  if (draft.entry === undefined || closureSteps(draft).length > 0) return;
  const say = type === "iterationBudget" || type === "checkBudget" ? draft.report.warn : draft.report.add;
  say("AGENT_NO_CLOSING", where, { type });
}

function isGated(steps: Readonly<Record<string, Step>>): boolean {
  return Object.values(steps).some(({ structuredGate }) => structuredGate !== undefined);
}

const registrySchema = oncePerAccess(registryJson);

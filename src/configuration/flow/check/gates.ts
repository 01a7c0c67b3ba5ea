import { type Intent, intentsOf, isSection, type Step } from "../../../model/flow/steps-registry.ts";
import { handoffKey, handoffName } from "../../../model/flow/variables.ts";
import { nearest } from "../../nearest.ts";
import { INTENTS } from "../read/steps.ts";
import { fieldIn, intentEnum, isInternalPointer } from "../schema/fields.ts";
import { type Draft, stepPlace } from "./draft.ts";

/** Checks gates against the step's kind and schema, and that every step of a gated flow has one. */
export function checkGates(draft: Draft): void {
  const gated = Object.values(draft.steps).find(({ structuredGate }) => structuredGate);
  for (const step of Object.values(draft.steps)) {
    if (gated && !isSection(step.stepId)) checkNeeds(draft, step, gated.stepId);
    if (!step.structuredGate) continue;
    checkIntents(draft, step);
    checkFallback(draft, step);
    checkSchema(draft, step);
    checkHandoffKeys(draft, step);
  }
  checkHandoffNames(draft);
}

function checkNeeds(draft: Draft, { stepId }: Step, gated: string): void {
  const json = draft.json.steps[stepId];
  for (const key of ["structuredGate", "transitions", "outputSchemaRef"] as const) {
    if (json?.[key] === undefined)
      draft.report.add("STEP_NEEDS", stepPlace(draft, stepId, key), { stepId, key, gated });
  }
}

function checkIntents(draft: Draft, { stepId, stepKind }: Step): void {
  const intents = draft.json.steps[stepId]?.structuredGate?.allowedIntents ?? [];
  const allowed: readonly Intent[] = intentsOf[stepKind];
  intents.forEach((intent, index) => {
    const place = stepPlace(draft, stepId, "structuredGate", "allowedIntents", index);
    const known = INTENTS.find((candidate) => candidate === intent);
    if (!known) draft.report.add("GATE_INTENT_UNKNOWN", place, { intent, nearest: nearest(intent, INTENTS) });
    else if (!allowed.includes(known)) draft.report.add("GATE_INTENT_KIND", place, { intent, kind: stepKind, allowed });
    else if (intents.indexOf(intent) < index) draft.report.add("GATE_INTENT_REPEATED", place, { intent });
  });
}

function checkFallback(draft: Draft, { stepId, structuredGate }: Step): void {
  const gate = draft.json.steps[stepId]?.structuredGate;
  if (gate?.fallbackIntent === undefined) return;
  const place = stepPlace(draft, stepId, "structuredGate", "fallbackIntent");
  if (!gate.allowedIntents.includes(gate.fallbackIntent)) {
    draft.report.add("GATE_FALLBACK_UNKNOWN", place, { intent: gate.fallbackIntent });
  } else if (structuredGate?.failFast) draft.report.add("GATE_FALLBACK_IGNORED", place, {});
  else if (gate.fallbackIntent === "closing") draft.report.add("GATE_FALLBACK_CLOSING", place, {});
}

function checkSchema(draft: Draft, { stepId, structuredGate }: Step): void {
  const gate = draft.json.steps[stepId]?.structuredGate;
  if (!gate || !structuredGate) return;
  const place = (key: string, ...rest: number[]) => stepPlace(draft, stepId, "structuredGate", key, ...rest);
  const reference = gate.intentSchemaRef;
  if (!isInternalPointer(reference)) {
    draft.report.add("GATE_SCHEMA_REF_EXTERNAL", place("intentSchemaRef"), { reference });
  }
  const resolved = draft.schemas[stepId];
  if (!resolved || !("schema" in resolved)) return;
  const { schema } = resolved;
  if (isInternalPointer(reference)) checkEnum(draft, stepId, gate.allowedIntents, intentEnum(draft, stepId, schema));
  for (const what of ["intentField", "targetField"] as const) {
    const { [what]: field } = gate;
    if (field && fieldIn(schema, field) === "no") draft.report.add("GATE_FIELD_UNKNOWN", place(what), { field, what });
  }
  structuredGate.handoffFields.forEach((field, index) => {
    if (fieldIn(schema, field) !== "no") return;
    draft.report.add("HANDOFF_FIELD_UNKNOWN", place("handoffFields", index), { field });
  });
}

function checkEnum(
  draft: Draft,
  stepId: string,
  intents: readonly string[],
  values: readonly string[] | undefined,
): void {
  if (!values) {
    const reference = draft.json.steps[stepId]?.structuredGate?.intentSchemaRef ?? "";
    draft.report.add("GATE_ENUM_MISSING", stepPlace(draft, stepId, "structuredGate", "intentSchemaRef"), { reference });
    return;
  }
  const missing = intents.filter((intent) => !values.includes(intent));
  const extra = values.filter((value) => !intents.includes(value));
  const place = stepPlace(draft, stepId, "structuredGate", "allowedIntents");
  if (missing.length + extra.length > 0) draft.report.add("GATE_ENUM_MISMATCH", place, { missing, extra });
}

function checkHandoffKeys(draft: Draft, { stepId, structuredGate }: Step): void {
  const fields = structuredGate?.handoffFields ?? [];
  fields.forEach((field, index) => {
    const key = handoffKey(field);
    const first = fields.findIndex((other) => handoffKey(other) === key);
    if (first === index) return;
    const place = stepPlace(draft, stepId, "structuredGate", "handoffFields", index);
    draft.report.add("HANDOFF_COLLISION", place, { key, fields: [fields[first] ?? "", field] });
  });
}

/** The key `c` of the steps `a.b` and `a_b` would be one variable. */
function checkHandoffNames(draft: Draft): void {
  const owners = new Map<string, string>();
  for (const { stepId, structuredGate } of Object.values(draft.steps)) {
    for (const name of new Set(structuredGate?.handoffFields.map((field) => handoffName(stepId, handoffKey(field))))) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, stepId);
      else draft.report.add("HANDOFF_NAME_COLLISION", stepPlace(draft, stepId), { name, steps: [owner, stepId] });
    }
  }
}

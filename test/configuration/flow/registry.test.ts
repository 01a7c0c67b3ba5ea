import { describe } from "vitest";
import { testCases } from "./support.ts";

const WORK = ["steps", "initial.task"];
const GATE = [...WORK, "structuredGate"];
const CLOSURE = ["steps", "closure.task"];

/** Two lists that differ are a fault of their own. */
const FELLOWS = {
  GATE_INTENT_UNKNOWN: "GATE_ENUM_MISMATCH",
  GATE_INTENT_KIND: "GATE_ENUM_MISMATCH TRANSITION_MISSING",
};

describe("a registry", () => {
  testCases(
    "registry",
    [
      ["another agent's id", ["agentId"], "b", "AGENT_NAME_MISMATCH"],
      ["an unknown key in a step", [...WORK, "usesStdn"], true, "AGENT_UNKNOWN_KEY"],
      ["an unknown key in a gate", [...GATE, "failfast"], true, "AGENT_UNKNOWN_KEY"],
      ["a transition of no intent", [...WORK, "transitions", "done"], { target: null }, "AGENT_UNKNOWN_KEY"],
      ["no entry", ["entryStep"], undefined, "ENTRY_MISSING", ""],
      ["an entry that is no step", ["entryStep"], "initial.tusk", "ENTRY_UNKNOWN"],
      [
        "a mapped entry that is no step",
        ["entryStepMapping"],
        { stepMachine: "initial.x" },
        "ENTRY_UNKNOWN",
        "entryStepMapping.stepMachine",
      ],
      [
        "a mapping of no completion type",
        ["entryStepMapping"],
        { issue: "initial.task" },
        "ENTRY_TYPE_UNKNOWN",
        "entryStepMapping.issue",
      ],
      ["a step under another key", [...WORK, "stepId"], "initial.other", "STEP_ID_MISMATCH"],
      ["a step without fallbackKey", [...WORK, "fallbackKey"], undefined, "STEP_FALLBACK_KEY"],
      [
        "an intent that is none",
        [...GATE, "allowedIntents"],
        ["next", "repeat", "handof"],
        "GATE_INTENT_UNKNOWN",
        'steps["initial.task"].structuredGate.allowedIntents[2]',
      ],
      [
        "a work step that may close",
        [...GATE, "allowedIntents"],
        ["next", "repeat", "handoff", "closing"],
        "GATE_INTENT_KIND",
        'steps["initial.task"].structuredGate.allowedIntents[3]',
      ],
      [
        "a closure step that may go on",
        [...CLOSURE, "structuredGate", "allowedIntents"],
        ["closing", "repeat", "next"],
        "GATE_INTENT_KIND",
        'steps["closure.task"].structuredGate.allowedIntents[2]',
      ],
      ["no intentField", [...GATE, "intentField"], undefined, "AGENT_KEY_MISSING"],
      ["a pointer into another file", [...GATE, "intentSchemaRef"], "common.json#/x", "GATE_SCHEMA_REF_EXTERNAL"],
      ["a pointer to no enum", [...GATE, "intentSchemaRef"], "#/properties/summary", "GATE_ENUM_MISSING"],
      ["fewer intents than the schema has", [...GATE, "allowedIntents"], ["next", "repeat"], "GATE_ENUM_MISMATCH"],
      ["an intent field that no answer has", [...GATE, "intentField"], "next_action.act", "GATE_FIELD_UNKNOWN"],
      [
        "a handoff field that no answer has",
        [...GATE, "handoffFields"],
        ["analysis.plan", "analysis.x"],
        "HANDOFF_FIELD_UNKNOWN",
        'steps["initial.task"].structuredGate.handoffFields[1]',
      ],
      [
        "two handoff fields of one key",
        [...GATE, "handoffFields"],
        ["analysis.plan", "plan"],
        "HANDOFF_COLLISION",
        'steps["initial.task"].structuredGate.handoffFields[1]',
      ],
      ["a fallback that is not allowed", [...GATE, "fallbackIntent"], "jump", "GATE_FALLBACK_UNKNOWN"],
      ["a fallback that is never used", [...GATE, "fallbackIntent"], "repeat", "GATE_FALLBACK_IGNORED"],
      [
        "an intent without a transition",
        [...WORK, "transitions", "next"],
        undefined,
        "TRANSITION_MISSING",
        'steps["initial.task"].transitions',
      ],
      [
        "a transition that nobody takes",
        [...WORK, "transitions", "jump"],
        { target: "initial.task" },
        "TRANSITION_UNUSED",
      ],
      [
        "a transition to no step",
        [...WORK, "transitions", "next", "target"],
        "initial.tsk",
        "TRANSITION_TARGET_UNKNOWN",
      ],
      ["a way out of the flow in passing", [...WORK, "transitions", "next", "target"], null, "TRANSITION_NULL"],
      [
        "closing that leads to a step",
        [...CLOSURE, "transitions", "closing", "target"],
        "initial.task",
        "TRANSITION_CLOSING_TARGET",
      ],
      ["a transition with nothing in it", [...WORK, "transitions", "next"], {}, "TRANSITION_SHAPE"],
      [
        "a condition that nothing hands on",
        [...WORK, "transitions", "next"],
        { condition: "pln", targets: { default: "initial.task" } },
        "TRANSITION_CONDITION_UNKNOWN",
        'steps["initial.task"].transitions.next.condition',
      ],
      [
        "a condition without a default",
        [...WORK, "transitions", "next"],
        { condition: "plan", targets: { a: "initial.task" } },
        "TRANSITION_NO_DEFAULT",
        'steps["initial.task"].transitions.next.targets',
      ],
      [
        "a conditional target that is no step",
        [...WORK, "transitions", "next"],
        { condition: "plan", targets: { default: "x.y" } },
        "TRANSITION_TARGET_UNKNOWN",
        'steps["initial.task"].transitions.next.targets.default',
      ],
      [
        "a schema that is not there",
        [...WORK, "outputSchemaRef", "schema"],
        "initial.tas",
        "SCHEMA_UNRESOLVED",
        'steps["initial.task"].outputSchemaRef',
      ],
      [
        "a schema file that is not there",
        [...WORK, "outputSchemaRef", "file"],
        "x.json",
        "SCHEMA_UNRESOLVED",
        'steps["initial.task"].outputSchemaRef',
      ],
      ["an unknown stepKind", [...WORK, "stepKind"], "wrk", "AGENT_VALUE_INVALID"],
      [
        "a subprocess that asks for no parameter",
        [...WORK, "runner"],
        { command: "node", args: [`\${context.isue}`] },
        "RUNNER_VARIABLE_UNKNOWN",
        'steps["initial.task"].runner.args[0]',
      ],
      ["a key that other programs use", [...WORK, "priority"], 5, "AGENT_KEY_WITHOUT_EFFECT"],
    ],
    FELLOWS,
  );
});

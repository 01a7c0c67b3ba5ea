/** The files of an agent with so many steps, one after the other: prompts, schemas, handoffs and a condition included. */
export function generatedAgent(count) {
  const ids = Array.from({ length: count }, (_, index) =>
    index === count - 1 ? "closure.end" : `initial.step-${index}`,
  );
  const steps = Object.fromEntries(ids.map((id, index) => [id, stepOf(ids, index)]));
  const files = new Map([
    ["agent.json", JSON.stringify(AGENT, null, 2)],
    ["steps_registry.json", JSON.stringify({ ...REGISTRY, entryStep: ids[0], steps }, null, 2)],
    ["schemas/bench.schema.json", JSON.stringify({ definitions: schemasOf(ids) }, null, 2)],
    ["prompts/system.md", "You are {uv-agent_name}.\n"],
  ]);
  for (const [index, id] of ids.entries()) {
    const before = index === 0 ? "" : "The step before says: {uv-finding}\n";
    files.set(`prompts/steps/${id.replace(".", "/")}/f_default.md`, `Work on {uv-topic}.\n${before}`);
  }
  return files;
}

/** The answer of a step. */
export function answerOf(stepId) {
  const action = stepId === "closure.end" ? "closing" : "next";
  return { summary: `did ${stepId}`, finding: "x".repeat(200), next_action: { action } };
}

const AGENT = {
  version: "1.0.0",
  name: "bench",
  displayName: "Bench",
  description: "Many steps",
  parameters: { topic: { type: "string", description: "what about", required: true, cli: "--topic" } },
  runner: {
    flow: { systemPromptPath: "prompts/system.md", prompts: { registry: "steps_registry.json" } },
    completion: { type: "stepMachine", config: { maxIterations: 1000 } },
    boundaries: { allowedTools: ["Read"], permissionMode: "acceptEdits" },
  },
};

const REGISTRY = {
  agentId: "bench",
  version: "1.0.0",
  c1: "steps",
  validators: { fine: { type: "command", command: "true" } },
  completionSteps: {
    "closure.end": {
      stepId: "closure.end",
      name: "End",
      c2: "retry",
      c3: "end",
      completionConditions: [{ validator: "fine" }],
    },
  },
};

function stepOf(ids, index) {
  const stepId = ids[index];
  const [c2, c3] = stepId.split(".");
  const isLast = index === ids.length - 1;
  const inputs = index === 0 ? {} : { inputs: { finding: { from: `${ids[index - 1]}.finding` } } };
  return {
    ...{ stepId, name: stepId, stepKind: isLast ? "closure" : "work", c2, c3, fallbackKey: c3, ...inputs },
    uvVariables: index === 0 ? ["topic"] : ["topic", "finding"],
    outputSchemaRef: { file: "bench.schema.json", schema: stepId },
    structuredGate: {
      allowedIntents: isLast ? ["closing", "repeat"] : ["next", "repeat"],
      intentField: "next_action.action",
      intentSchemaRef: "#/properties/next_action/properties/action",
      handoffFields: isLast ? [] : ["finding"],
    },
    transitions: isLast
      ? { closing: { target: null }, repeat: { target: ids[0] } }
      : { next: { target: ids[index + 1] }, repeat: { target: stepId } },
  };
}

function schemasOf(ids) {
  const schemas = ids.map((id, index) => {
    const intents = index === ids.length - 1 ? ["closing", "repeat"] : ["next", "repeat"];
    const next_action = {
      type: "object",
      required: ["action"],
      properties: { action: { type: "string", enum: intents } },
    };
    const properties = { summary: { type: "string" }, finding: { type: "string" }, next_action };
    return [id, { type: "object", required: Object.keys(properties), properties }];
  });
  return Object.fromEntries(schemas);
}

import { z } from "zod";
import { AgentJson } from "../../model/flow/agent-json.ts";
import { RegistryJson } from "../../model/flow/registry-json.ts";
import { WorkflowJson } from "../../model/flow/workflow-json.ts";

/** The formats' JSON Schemas for editors, by file name. They say the shape; `e8 agent validate` says the rest. */
export function jsonSchemas(): Record<string, object> {
  return {
    "agent.schema.json": draft7(AgentJson, "agent.json of an agent made of steps"),
    "steps_registry.schema.json": draft7(RegistryJson, "steps_registry.json of an agent made of steps"),
    "workflow.schema.json": draft7(WorkflowJson, "workflow.json of the orchestrator"),
  };
}

function draft7(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return { $schema, title, ...rest };
}

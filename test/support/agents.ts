import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ExecutionSummary, JudgmentRecord } from "../../src/model/records.ts";
import type { Sandbox } from "./sandbox.ts";

const execute = promisify(execFile);
const ROOT = new URL("../../", import.meta.url);

export interface AgentSketch {
  completion?: { type: string; config?: Record<string, unknown> };
  parameters?: Record<string, unknown>;
  integrations?: Record<string, unknown>;
  steps: StepSketch[];
  /** Further members of the registry. */
  registry?: Record<string, unknown>;
  /** Further files, by their path in the agent's directory. */
  files?: Record<string, string>;
}

export interface StepSketch {
  id: string;
  /** Intent → the step it leads to, or a whole transition. */
  go: Record<string, string | null | Record<string, unknown>>;
  /** Further members of its output. */
  properties?: Record<string, unknown>;
  /** Replaces the schema of its output. */
  schema?: Record<string, unknown>;
  gate?: Record<string, unknown>;
  prompt?: string;
  /** Further members of the step. */
  more?: Record<string, unknown>;
}

/** Writes an agent, small unless it has another name, into the project: from each step only what matters. */
export async function writeAgent({ write }: Sandbox, sketch: AgentSketch, name = "small"): Promise<void> {
  const put = (path: string, content: unknown) => write(`.agent/${name}/${path}`, asText(content));
  await put("agent.json", { ...agentJson(sketch), name });
  await put("steps_registry.json", { ...registryJson(sketch), agentId: name });
  await put("schemas/steps.json", {
    definitions: Object.fromEntries(sketch.steps.map((step) => [step.id, step.schema ?? outputSchema(step)])),
  });
  await put("prompts/system.md", "You are {uv-agent_name}.\n");
  for (const { id, prompt } of sketch.steps)
    await put(`prompts/steps/${id.replace(".", "/")}/f_default.md`, prompt ?? `Do ${id}.\n`);
  for (const [path, text] of Object.entries(sketch.files ?? {})) await put(path, text);
}

/** A step done by a program: the file `<iteration>.json` of the project is its answer. */
export const byProgram = { runner: { command: "sh", args: ["-c", 'cat "$E8_ITERATION.json"'] } };

/** The same, but an issue in the project's folder is gone afterwards. */
export function losing(issue: string) {
  return { runner: { command: "sh", args: ["-c", `rm -f .e8/issues/${issue}.md; cat "$E8_ITERATION.json"`] } };
}

/** Has the program steps answer in turn, by iteration. */
export async function answers({ write }: Sandbox, ...outputs: Record<string, unknown>[]): Promise<void> {
  await Promise.all(outputs.map((output, index) => write(`${index + 1}.json`, JSON.stringify(output))));
}

/** `says("next")`: an output with that intent. */
export function says(action: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { summary: `says ${action}`, ...more, next_action: { action } };
}

/** Where shipped agents lie. */
export const SHIPPED_FOLDERS = ["templates/agents/en", "templates/agents/ja", "examples/agents"] as const;

/** A shipped agent, as a user would copy it. */
export async function install(
  { project }: Sandbox,
  from: (typeof SHIPPED_FOLDERS)[number],
  name: string,
): Promise<void> {
  await cp(fileURLToPath(new URL(`${from}/${name}/`, ROOT)), join(project, ".agent", name), { recursive: true });
}

/** Makes the project a git repository in which everything so far is committed. */
export async function commitAll({ project, env, write }: Sandbox): Promise<void> {
  await write(".gitignore", ".e8/\n");
  const git = (...args: string[]) => execute("git", args, { cwd: project, env });
  await git("init", "-q");
  await git("add", "-A");
  await git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-qm", "Greet the world");
}

export async function summaries({ records }: Sandbox): Promise<ExecutionSummary[]> {
  return (await records()).filter((record) => record.type === "summary");
}

export async function judgments({ records }: Sandbox): Promise<JudgmentRecord[]> {
  return (await records()).filter((record) => record.type === "judgment");
}

/** What was asked of a step, each time. */
export async function promptsOf({ asked }: Sandbox, step: string): Promise<string[]> {
  return (await asked(step)).map(({ text }) => text);
}

function agentJson({ completion, parameters, integrations }: AgentSketch): Record<string, unknown> {
  return {
    version: "1.0.0",
    name: "small",
    displayName: "Small",
    description: "A small agent",
    ...(parameters && { parameters }),
    runner: {
      flow: { systemPromptPath: "prompts/system.md", prompts: { registry: "steps_registry.json" } },
      completion: completion ?? { type: "stepMachine", config: { maxIterations: 6 } },
      boundaries: { allowedTools: ["Read", "Write", "Edit", "Bash"], permissionMode: "acceptEdits" },
      ...(integrations && { integrations }),
    },
  };
}

function registryJson({ steps, registry }: AgentSketch): Record<string, unknown> {
  const entries = steps.map((step) => [step.id, stepJson(step)] as const);
  return {
    agentId: "small",
    version: "1.0.0",
    c1: "steps",
    entryStep: steps[0]?.id,
    steps: Object.fromEntries(entries),
    ...registry,
  };
}

function stepJson({ id, go, gate, more }: StepSketch): Record<string, unknown> {
  const [c2, c3] = id.split(".");
  const transitions = Object.entries(go).map(
    ([intent, to]) => [intent, to === null || typeof to === "string" ? { target: to } : to] as const,
  );
  return {
    stepId: id,
    name: `The step ${id}`,
    c2,
    c3,
    fallbackKey: id.replace(".", "_"),
    outputSchemaRef: { file: "steps.json", schema: id },
    structuredGate: {
      allowedIntents: Object.keys(go),
      intentField: "next_action.action",
      intentSchemaRef: "#/properties/next_action/properties/action",
      ...gate,
    },
    transitions: Object.fromEntries(transitions),
    ...more,
  };
}

function outputSchema({ go, properties }: StepSketch): Record<string, unknown> {
  const action = { type: "string", enum: Object.keys(go) };
  return {
    type: "object",
    required: ["summary", "next_action"],
    properties: {
      summary: { type: "string" },
      ...properties,
      next_action: { type: "object", required: ["action"], properties: { action, target: { type: "string" } } },
    },
  };
}

function asText(content: unknown): string {
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
}

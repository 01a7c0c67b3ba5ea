import { z } from "zod";
import type { TaskFile } from "../model/configuration.ts";
import { CommandCriterion, SemanticCriterion, UnchangedCriterion } from "../model/criterion.ts";
import { agentJson } from "../model/flow/agent-json.ts";
import { registryJson } from "../model/flow/registry-json.ts";
import { WorkflowJson } from "../model/flow/workflow-json.ts";
import { message, type Statement } from "../model/message.ts";
import type { ValueForm } from "../model/messages/configuration.ts";
import { type AgentSettings, settingsSchemas } from "./task/agent-settings.ts";

type Tell = (statement: Statement) => string;
type AgentSchemas = Pick<AgentSettings, "choice" | "options" | "flow_access">;

/** The formats' JSON Schemas for editors, by file name. They describe the shape; `e8 agent validate` checks the rest. */
export function jsonSchemas(tell: Tell, agents: AgentSchemas): Record<string, object> {
  const { flow_access } = agents;
  return {
    "task.schema.json": taskJsonSchema(tell, agents),
    "agent.schema.json": draft7(agentJson(flow_access), "agent.json of an agent made of steps"),
    "steps_registry.schema.json": draft7(registryJson(flow_access), "steps_registry.json of an agent made of steps"),
    "workflow.schema.json": draft7(WorkflowJson, "workflow.json of the orchestrator"),
  };
}

function draft7(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return { $schema, title, ...rest };
}

/**
 * task.yaml's JSON Schema for editors. It is stricter than reading, which also accepts numbers in
 * quotes, for instance.
 */
export function taskJsonSchema(tell: Tell, agents: AgentSchemas): object {
  const written = settingsSchemas(agents).task.extend({
    task: z.string().min(1),
    criteria: Criteria,
    protect: Texts,
    may_change: Texts,
    setup: Texts,
    keep: Texts,
  });
  const { $schema, properties, ...rest } = z.toJSONSchema(written, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema }) => describeForm(jsonSchema, tell),
  });
  allowOne(properties?.models, "judge");
  return {
    $schema,
    title: "a task of endless8 (task.yaml)",
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties ?? {}).map(([key, value]) => [
        key,
        { ...(value as object), description: descriptions[key as keyof TaskFile] },
      ]),
    ),
  };
}

/** Editors need words where our own reader uses the name of a form. */
function describeForm(node: { form?: ValueForm; description?: string }, tell: Tell): void {
  if (node.form) node.description = tell(message("value_form", { form: node.form }));
  delete node.form;
}

/** One model of a role that may have several stands without a list. */
function allowOne(models: unknown, role: string): void {
  const { properties } = models as { properties: Record<string, { items?: object }> };
  const list = properties[role];
  properties[role] = { anyOf: [list, list?.items] } as object;
}

/** A single text may stand without a list. */
const Texts = z.union([z.array(z.string().min(1)), z.string().min(1)]).optional();
const Files = z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]);
const CriterionForm = z.union([
  z.string().min(1),
  CommandCriterion,
  UnchangedCriterion.extend({ files: Files }),
  SemanticCriterion,
]);
const Criteria = z.union([z.array(CriterionForm).min(1), CriterionForm]);

/** What an editor shows beside a key; docs/task-file.md has the details. */
const descriptions = {
  task: "What you want, in your own words.",
  criteria: "When it is done: sentences for the judge, commands that must exit 0, and files that must stay unchanged.",
  max_iterations: "Iterations at most, 1 to 1000. Default 10.",
  history_context_size: "How many of the latest summaries the worker reads. Default 5.",
  knowledge_context_size: "How many pieces of knowledge the worker reads. Default 10.",
  raw_output_context:
    "1: the worker's prompt also quotes the last text that was handed in; at 0, it names its file. Default 0.",
  command_timeout: "Seconds for a check. Default 300.",
  silence_timeout: "Seconds without a sign of life after which an agent is ended. Default 900 for Claude Code.",
  stall_limit: "Stop after so many iterations without progress; null: never. Default 5.",
  until: "Stop at this time, such as 07:00 or 2026-01-24T07:00.",
  persist: "A file that gets a copy of each record. Running the same task again goes on with an unfinished one in it.",
  knowledge: "A file of knowledge to read instead of .e8/knowledge.jsonl, and to add to.",
  working_directory: "Where agent and checks run, relative to the project.",
  agent:
    "claude; {command: …}: a program that reads the prompt on stdin and answers on stdout; or {scripted: …}: a story that is played.",
  agents:
    "Several agents in the place of `agent`, the preferred one first: while it is limited, or once it has failed three times in a row, the next one works. Each may have a model: {agent: …, model: …}.",
  fallback_after: "Minutes that a run waits for a limited agent before the next one takes over. Default 15.",
  escalate_to: "A model of the agent, or another agent, that takes over when the run stands still, before it gives up.",
  agent_model: "The model of intake, summarizer and judge.",
  models:
    "The model of each role: intake, executor, summarizer, judge, reviewer. A list of judges, or of reviewers, must all agree. All but the executor also over an API: <provider>:<model> of anthropic, openai, google, azure, bedrock, openrouter or ollama, and openai-compatible:<model>@<base url>.",
  reviewers: "The models that review the work before a run is completed; all must agree. Default: the judge's model.",
  review: "false: no review. Default true, wherever a model is at hand.",
  prices:
    "What models cost whose agent or API does not say so, by their spelling, or `default` for an agent's own model: {input, output} in US dollars for a million tokens.",
  budget: "Stop when this much is spent: cost_usd, tokens, minutes.",
  logging: "raw_log: keep the raw stream of every answer; raw_log_dir: where.",
  claude_options: "How Claude Code is started: tools, permissions, turns, timeout, executable.",
  notify:
    "How you are told while you are away: on (end, wait, question, stall), desktop, webhook, command; on_end: a command for the end alone.",
  prompts: "judgment: how the judge should judge; append_system_prompt: added to the worker's system prompt.",
  mcp_servers: "MCP servers by name, or defined here.",
  skills_dir: "A directory of skills besides .claude/skills.",
  intake: "Have the criteria looked at before the work begins. Default true.",
  proof:
    "How a claim that all is done is proved: clean (in a clean checkout), in-place, none; auto (the default) is clean where it can be had.",
  protect:
    "Files that the checks rest on: auto, review, fail, restore or off, and patterns of further files. A change of one needs a reason.",
  may_change: "Patterns of protected files that the task is meant to change.",
  sandbox_hosts: "Hosts that worker and checks may reach under sandbox strict, such as *.npmjs.org or localhost:5432.",
  pass_credentials:
    "Credentials of trackers and git hosts that worker and checks may have: gh, glab, git, ssh, all, or names of variables.",
  if_green: "When all checks pass before the work: work, done or fail.",
  setup: "A command, or a list of commands, that prepares a clean checkout before the checks, such as npm ci.",
  setup_timeout: "Seconds for each command of setup. Default 900.",
  keep: "Ignored files and folders that setup makes and that stay in the clean room, such as node_modules.",
  sandbox:
    "contain (the default): worker and checks run in process spaces of their own, without records and clean checkouts; strict: they write only the workspace and caches, have no credentials, and reach only named hosts; off.",
  worktree:
    "Work on a branch and in a worktree of its own: enabled, base (the branch to start from and to land on), root, copy (files that git does not have), setup (a command).",
  finalize:
    "What happens to proved work on its own branch: merge, push, remote, create_pr, draft, pr_target, author, checkout (keep or forward a base that is checked out), on_conflict (agent or stop).",
} satisfies Record<keyof TaskFile, string>;

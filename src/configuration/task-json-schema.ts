import { z } from "zod";
import { TaskFile } from "../model/configuration.ts";
import { CommandCriterion, SemanticCriterion, UnchangedCriterion } from "../model/criterion.ts";

/**
 * task.yaml's JSON Schema for editors. It says how we would write a file; reading is more generous, for instance with
 * numbers in quotes.
 */
export function taskJsonSchema(): object {
  const written = TaskFile.extend({ task: z.string().min(1), criteria: Criteria });
  const { $schema, properties, ...rest } = z.toJSONSchema(written, { target: "draft-7", io: "input" });
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

const Files = z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]);
const CriterionForm = z.union([
  z.string().min(1),
  CommandCriterion,
  UnchangedCriterion.extend({ files: Files }),
  SemanticCriterion,
]);
const Criteria = z.union([z.array(CriterionForm).min(1), CriterionForm]);

/** What an editor shows beside a key; docs/task-file.md has the whole story. */
const descriptions = {
  task: "What you want, in your own words.",
  criteria: "When it is done: sentences for the judge, commands that must exit 0, and files that must stay unchanged.",
  max_iterations: "Iterations at most, 1 to 100. Default 10.",
  history_context_size: "How many of the latest summaries the worker reads. Default 5.",
  knowledge_context_size: "How many pieces of knowledge the worker reads. Default 10.",
  raw_output_context: "1: the worker also reads the last worker's whole output. Default 0.",
  command_timeout: "Seconds for a check. Default 30.",
  silence_timeout: "Seconds without a sign of life after which an agent is ended. Default 900 for Claude Code.",
  stall_limit: "Stop after so many iterations without progress; null: never. Default 5.",
  persist: "A file that gets a copy of each record.",
  knowledge: "A file of knowledge shared by the project's tasks, such as .e8/knowledge.jsonl.",
  working_directory: "Where agent and checks run, relative to the project.",
  agent:
    "claude; {command: …}: a program that reads the prompt on stdin and answers on stdout; or {scripted: …}: a story that is played.",
  agent_model: "The model of intake, summarizer and judge.",
  models:
    "The model of each role: intake, executor, summarizer, judge. All but the executor also over an API: anthropic:<model>, openai:<model>, openai-compatible:<model>@<base url>.",
  prices: "What models over an API cost, by their spelling: {input, output} in US dollars for a million tokens.",
  budget: "Stop when this much is spent: cost_usd, tokens, minutes.",
  logging: "raw_log: keep the raw stream of every answer; raw_log_dir: where.",
  claude_options: "How Claude Code is started: tools, permissions, turns, timeout, executable.",
  prompts: "judgment: how the judge should judge; append_system_prompt: added to the worker's system prompt.",
  mcp_servers: "MCP servers by name, or defined here.",
  skills_dir: "A directory of skills besides .claude/skills.",
  intake: "Have the criteria looked at before the work begins. Default true.",
} satisfies Record<keyof TaskFile, string>;

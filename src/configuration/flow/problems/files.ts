import type { Statement } from "../../../model/statement.ts";
import { en, error, warning } from "./text.ts";

/** What can be wrong with a file as such, and with its shape. */
export const fileProblems = {
  AGENT_FILE_MISSING: (d: { file: string }) =>
    error(`There is no ${d.file}.`, "An agent is made of agent.json and the registry that it names.", `Add ${d.file}.`),
  AGENT_JSON_BROKEN: (d: { problem: Statement }) =>
    error(`This is not valid JSON: ${en(d.problem)}.`, "Nothing of the file can be read.", "Mend this place."),
  AGENT_JSON_DUPLICATE_KEY: (d: { key: string }) =>
    error(`${d.key} stands here for the second time.`, "One of the two would be lost without a word.", "Keep one."),
  AGENT_UNKNOWN_KEY: (d: { key: string; known: readonly string[]; nearest: string | undefined }) =>
    error(
      `Unknown key ${d.key}.`,
      "What nobody reads has no effect, and a slip of the pen would go unnoticed.",
      d.nearest ? `Did you mean ${d.nearest}?` : `Remove it. Known here: ${d.known.join(", ") || "none"}.`,
    ),
  AGENT_KEY_MISSING: (d: { key: string; needed: Statement }) =>
    error(`${d.key} is missing.`, "The format requires it.", d.needed ? `Add it: ${en(d.needed)}.` : "Add it."),
  AGENT_VALUE_INVALID: (d: { problem: Statement; allowed: Statement }) =>
    error(
      `${en(d.problem)}.`,
      "The value cannot be used.",
      d.allowed ? `Possible: ${en(d.allowed)}.` : "Correct the value.",
    ),
  AGENT_KEY_WITHOUT_EFFECT: (d: { key: string; reason: Statement }) =>
    warning(`${d.key} has no effect here.`, en(d.reason), "Leave it for other programs, or remove it."),
  AGENT_LEGACY_FORMAT: (_: object) =>
    error(
      "This is the format from before version 1.12: `behavior` instead of `runner`.",
      "Its keys have other places and meanings; guessing them would run something else than was meant.",
      "Migrate: behavior.systemPromptPath → runner.flow.systemPromptPath; prompts → runner.flow.prompts; " +
        "behavior.completionType and completionConfig → runner.completion.type and config; " +
        "behavior.allowedTools, permissionMode and sandboxConfig → runner.boundaries (sandboxConfig is sandbox there); " +
        "github → runner.integrations.github; worktree → runner.execution.worktree; logging → runner.logging; actions → runner.actions.",
    ),
  AGENT_NAME_MISMATCH: (d: { agentId: string; name: string }) =>
    error(
      `The registry is of the agent "${d.agentId}", agent.json of "${d.name}".`,
      "The registry of another agent may have been copied.",
      `Make agentId "${d.name}".`,
    ),
  AGENT_DIRECTORY_NAME: (d: { name: string; directory: string }) =>
    warning(
      `The agent is called "${d.name}", its directory "${d.directory}".`,
      "It is run by its directory's name, and reports by its own.",
      "Give both one name.",
    ),
  WORKFLOW_INVALID: (d: { problem: Statement; fix: Statement }) =>
    error(en(d.problem), "The orchestrator could not lead an issue through its phases.", en(d.fix)),
} as const;

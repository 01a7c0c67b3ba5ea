import type { Statement } from "../../../model/statement.ts";
import { en, error, warning } from "./text.ts";

/** What can be wrong with agent.json beyond its shape: parameters and what ends the agent. */
export const runnerProblems = {
  AGENT_COMPLETION_MISSING: (_: object) =>
    error(
      "The runner says neither completion nor verdict.",
      "Nobody could tell when the agent is done.",
      'Add runner.completion, such as {"type": "stepMachine", "config": {"maxIterations": 10}}.',
    ),
  AGENT_COMPLETION_TWICE: (_: object) =>
    error(
      "The runner says both completion and verdict.",
      "They are two generations' names of the same thing.",
      "Keep one of them.",
    ),
  AGENT_COMPLETION_TYPE: (d: { type: string; known: readonly string[]; nearest: string | undefined }) =>
    error(
      `There is no completion type "${d.type}".`,
      "Nobody could tell when the agent is done.",
      d.nearest ? `Did you mean ${d.nearest}?` : `Known: ${d.known.join(", ")}.`,
    ),
  AGENT_COMPLETION_CONFIG: (d: { type: string; key: string }) =>
    error(`${d.type}: ${d.key} is missing.`, "Without it the completion can never be judged.", `Add config.${d.key}.`),
  AGENT_COMPLETION_UNUSED: (d: { key: string; type: string }) =>
    warning(
      `${d.key} has no meaning for ${d.type}.`,
      "It is read and decides nothing.",
      "Remove it, or choose the type that has it.",
    ),
  AGENT_COMPLETION_RESOURCE: (d: { resource: string }) =>
    error(
      `Nothing says which ${d.resource} is to be watched.`,
      "The completion looks at one certain resource.",
      `Declare a parameter "${d.resource}".`,
    ),
  AGENT_NO_GATE: (d: { type: string }) =>
    error(
      `${d.type} needs a step with a structuredGate, and no step has one.`,
      "A step machine goes from step to step by the gates' intents.",
      "Give the steps gates, or choose another completion type.",
    ),
  AGENT_NO_CLOSING: (d: { type: string }) =>
    error(
      "No closure step that allows closing can be reached.",
      `Steps have gates, so ${d.type} is judged only after a closing signal, and none can ever come.`,
      "Add a closure step and lead the flow to it.",
    ),
  AGENT_HANDLER_MISSING: (d: { path: string }) =>
    error(`There is no file ${d.path}.`, "The handler decides.", "Add the module, or correct the path."),
  AGENT_PARAMETER_CLASH: (d: { cli: string; other: string }) =>
    error(
      `${d.cli} is already the flag of the parameter "${d.other}".`,
      "One flag cannot set two parameters.",
      "Give each its own flag.",
    ),
  AGENT_PARAMETER_DEFAULT: (d: { problem: Statement }) =>
    error(
      `The default ${en(d.problem)}.`,
      "A run without the flag would use it.",
      "Correct the default, its type or the rule.",
    ),
  AGENT_PARAMETER_VALIDATION: (d: { problem: Statement; fix: Statement }) =>
    error(en(d.problem), "No value, or any value, would pass.", en(d.fix)),
  AGENT_PARAMETER_REQUIRED_DEFAULT: (_: object) =>
    warning(
      "The parameter is required and has a default.",
      "Who must give a value never gets the default.",
      "Remove one of the two.",
    ),
  AGENT_FLAG_RESERVED: (d: { cli: string; key: string }) =>
    warning(
      `${d.cli} is a flag of the program itself.`,
      "On the command line the program's own meaning wins.",
      `Set it with --param ${d.key}=…, or give the parameter another flag.`,
    ),
} as const;

import { capabilitiesOf, needsOf } from "../connection/agents/registry.ts";
import { directoryProblem } from "../connection/processes/programs.ts";
import { digestsOf } from "../connection/workspace/digests.ts";
import { observationsNeeded } from "../judgment/flow/completion.ts";
import { type Configuration, NO_MODEL, reviewersOf } from "../model/configuration.ts";
import { isCheck } from "../model/criterion.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import type { Step } from "../model/flow/steps-registry.ts";
import { listed } from "../model/message.ts";
import type { Role } from "../model/roles.ts";
import { namedAgents, requireStepAgents, usesDefault } from "./step-agents.ts";

interface ConfiguredRun {
  configuration: Configuration;
  project: string;
  environment: Environment;
}

/**
 * Throws when a run would ask an agent that can never answer (no key, no story, a proxy of the wrong kind), or
 * wants a sandbox that cannot be had, before anything is spent.
 */
export async function requireAgents(run: ConfiguredRun, definition?: FlowDefinition): Promise<void> {
  if (definition) requireStepAgents(run.configuration, definition);
  if (run.configuration.sandbox === "strict")
    await (await import("../connection/processes/sandbox/strict.ts")).requireStrict(run.environment);
  const asked = rolesAsked(run.configuration, definition);
  for (const [backend, need] of needsOf(asked, run)) if (need.roles.length > 0) await backend.verify?.(need);
  for (const agent of definition ? namedAgents(definition) : []) {
    const own = { ...run, configuration: { ...run.configuration, agent } };
    for (const [backend, need] of needsOf(["executor"], own)) if (need.roles.length > 0) await backend.verify?.(need);
  }
}

/** The roles that a run asks. */
export function rolesAsked(configuration: Configuration, definition?: FlowDefinition): Role[] {
  const { intake, criteria, models, proof, review, reviewers } = configuration;
  const isReviewed = proof !== "none" && reviewersOf({ review, reviewers }).length > 0;
  if (definition)
    return [
      ...(usesDefault(definition) ? (["executor"] as const) : []),
      ...(asksJudge(definition) ? (["judge"] as const) : []),
      ...(isReviewed && claimsSomething(definition) ? (["reviewer"] as const) : []),
    ];
  const isJudged = !criteria.every(isCheck); // the intake looks at sentences only, too
  const roles: [Role, boolean][] = [
    ["intake", intake && isJudged],
    ["executor", true],
    ["summarizer", models.summarizer !== NO_MODEL],
    ["judge", isJudged],
    ["reviewer", isReviewed],
  ];
  return roles.flatMap(([role, isAsked]) => (isAsked ? [role] : []));
}

function asksJudge({ agent, registry }: FlowDefinition): boolean {
  const isSemantic = Object.values(registry.validators).some(({ type }) => type === "semantic");
  return isSemantic || observationsNeeded(agent.runner.completion).criteria.length > 0;
}

/** Whether a proof may have something to show: a condition, a criterion, or a file or command that is waited for. */
function claimsSomething({ agent, registry }: FlowDefinition): boolean {
  const { criteria, external } = observationsNeeded(agent.runner.completion);
  const hasConditions = Object.values(registry.completionSteps).some(
    ({ completionConditions }) => completionConditions.length > 0,
  );
  return hasConditions || criteria.length + external.length > 0;
}

/** Whether a flow asks no model: programs take all its steps, and its conditions need no judge. */
export function isWithoutModel(definition: FlowDefinition): boolean {
  const isProgram = ({ runner, agent }: Step) =>
    runner !== undefined || (agent !== undefined && !capabilitiesOf(agent).roles.includes("judge"));
  return Object.values(definition.registry.steps).every(isProgram) && !asksJudge(definition);
}

interface ResolvedSettings {
  configuration: Configuration;
  /** Where each value came from, by its dotted path. */
  sources: Readonly<Record<string, string>>;
}

/** Throws when a run could not begin: there is no directory to work in, or no files match `unchanged`. */
export async function requirePlace({ configuration, sources }: ResolvedSettings): Promise<void> {
  const { working_directory, criteria } = configuration;
  const problem = directoryProblem(working_directory);
  if (problem) {
    const source = sources.working_directory ?? "";
    const problems = listed([`  ${source} working_directory: `, problem], "");
    throw new E8Error("configuration_invalid", { file: source.replace(/:\d+$/, ""), problems });
  }
  for (const criterion of criteria) {
    if (criterion.type !== "unchanged") continue;
    const { files } = criterion;
    if (Object.keys(await digestsOf(working_directory, files)).length === 0)
      throw new E8Error("files_unmatched", { files: files.join(", ") });
  }
}

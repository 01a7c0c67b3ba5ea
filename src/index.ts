import type { z } from "zod";
import { type CheckedDefinition as Checked, checkDefinition as check } from "./compose/definitions.ts";
import { startFlow } from "./compose/flows.ts";
import { configureTask, type ResumeRequest, type RunOptions, resumeTask, startTask } from "./compose/tasks.ts";
import type { TaskFile } from "./model/configuration.ts";
import { E8Error } from "./model/errors.ts";
import { drain, through } from "./model/event-stream.ts";
import type { EventEnvelope, RunEvent } from "./model/events.ts";
import type { FlowDefinition } from "./model/flow/definition.ts";
import type { DefinitionProblem as Problem } from "./model/flow/problem.ts";
import type { Language } from "./model/language.ts";
import type { Statement } from "./model/message.ts";
import type { Notice } from "./model/notices.ts";
import type { LoopResult } from "./model/records.ts";
import type { ProblemText } from "./texts/problems/problem-text.ts";
import { problemText } from "./texts/problems/problems.ts";
import { readableEvent, readableResult } from "./texts/readable.ts";
import { errorText, isNotice, noticeText } from "./texts/sentences.ts";
import { teller } from "./texts/tell.ts";

/** A task in the form of task.yaml. */
export type TaskInput = z.input<typeof TaskFile>;

export interface StreamOptions extends Omit<RunOptions, "hurry"> {
  /** The project's directory; the current one where absent. Its endless8.yaml counts. */
  project?: string;
}

export interface TaskRunOptions extends StreamOptions {
  /** Called with every event, after what it announces has been recorded. */
  onProgress?: (event: RunEvent) => void;
}

/**
 * Works on a task until its criteria hold, and returns how it ended. A failed run is a result; unusable input throws E8Error
 * before anything starts.
 */
export async function run(task: TaskInput, options: TaskRunOptions = {}): Promise<LoopResult> {
  return drain(stream(task, options), (event) => options.onProgress?.(event));
}

/** The same, event by event; the generator returns the result. Cancel with the signal. */
export async function* stream(task: TaskInput, options: StreamOptions = {}): AsyncGenerator<RunEvent, LoopResult> {
  return yield* inEnglish(async () =>
    startTask(await configureTask(task, options.project ?? ".", options.environment), options),
  );
}

export interface ResumeOptions extends TaskRunOptions {
  /** The latest task of the project where absent. */
  id?: string;
  /** Settings that change from now on, as with the flags of `e8 run --resume`. Task and criteria stay. */
  flags?: Omit<NonNullable<ResumeRequest["flags"]>, "task" | "criteria">;
}

/** Continues a task where it stopped. */
export async function resume(options: ResumeOptions = {}): Promise<LoopResult> {
  const flags = { ...options.flags, task: undefined, criteria: undefined };
  const events = () => resumeTask({ project: options.project ?? ".", id: options.id, flags }, options);
  return drain(inEnglish(events), (event) => options.onProgress?.(event));
}

/**
 * Runs an agent made of steps: one under `.agent/` by its name, one anywhere by the path of its directory, or a loaded
 * definition. Parameters go by their names in agent.json.
 */
export async function runAgent(
  agent: string | FlowDefinition,
  parameters: Readonly<Record<string, unknown>> = {},
  options: AgentRunOptions = {},
): Promise<LoopResult> {
  return drain(streamAgent(agent, parameters, options), (event) => options.onProgress?.(event));
}

export interface AgentStreamOptions extends StreamOptions {
  /** Stands in for standard input, for steps that use it. */
  stdin?: string;
}

export interface AgentRunOptions extends TaskRunOptions, AgentStreamOptions {}

/** The same, event by event. */
export function streamAgent(
  agent: string | FlowDefinition,
  parameters: Readonly<Record<string, unknown>> = {},
  options: AgentStreamOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  return inEnglish(() =>
    startFlow({ project: options.project ?? ".", flow: agent, parameters, stdin: options.stdin }, options),
  );
}

/** Says a notice of an event, or the reason of one, in a language. */
export function tell(fact: Notice | Statement, language: Language = "en"): string {
  return isNotice(fact) ? noticeText(fact, language) : teller(language)(fact);
}

type Wire = AsyncGenerator<EventEnvelope, LoopResult>;

/** Results, events and errors of the library contain English sentences. */
async function* inEnglish(start: () => Wire | Promise<Wire>): AsyncGenerator<RunEvent, LoopResult> {
  try {
    const result = yield* through(await start(), ({ event }) => [readableEvent(event, "en")]);
    return readableResult(result, "en");
  } catch (error) {
    throw withEnglish(error);
  }
}

function withEnglish(error: unknown): unknown {
  return error instanceof E8Error ? Object.assign(error, errorText(error, "en")) : error;
}

/** One thing wrong with a definition, said in English. */
export interface DefinitionProblem extends Omit<Problem, "params">, ProblemText {
  /** The values of the sentences. */
  details: object;
}

export interface CheckedDefinition extends Omit<Checked, "problems"> {
  problems: DefinitionProblem[];
}

/** Reads an agent by name or path and reports all its problems. */
export async function checkDefinition(project: string, nameOrPath: string): Promise<CheckedDefinition> {
  const { problems, ...checked } = await check(project, nameOrPath).catch((error: unknown) => {
    throw withEnglish(error);
  });
  const told = problems.map(({ params, ...problem }) => ({
    ...problem,
    ...problemText({ ...problem, params }, "en"),
    details: params,
  }));
  return { ...checked, problems: told };
}

export { History, KnowledgeBase, type KnowledgeQuery, type NewKnowledge } from "./compose/memory.ts";
export { answer, fault, say, scene, story, use } from "./connection/agents/scripted/model/builders.ts";
export { loadStory } from "./connection/agents/scripted/model/load-story.ts";
export { type ScriptedModel, startScriptedModel } from "./connection/agents/scripted/model/server.ts";
export type { Story } from "./connection/agents/scripted/model/story.ts";
export type { Ask } from "./connection/ports/ask.ts";
export type { FailureGroup, HistoryContext } from "./connection/ports/open-task.ts";
export type { FailureCode } from "./model/agent.ts";
export type { ChangedFile, ChangeTotals } from "./model/changes.ts";
export type { Criterion } from "./model/criterion.ts";
export { E8Error, type ErrorCode } from "./model/errors.ts";
export type { Evaluation } from "./model/evaluation.ts";
export type { RunEvent } from "./model/events.ts";
export type { FlowDefinition as AgentDefinition } from "./model/flow/definition.ts";
export type { Language } from "./model/language.ts";
export type { Statement } from "./model/message.ts";
export type { Notice } from "./model/notices.ts";
export type {
  ExecutionSummary,
  HistoryRecord,
  Judgment,
  JudgmentRecord,
  LoopResult,
  LoopStatus,
  StopReason,
} from "./model/records.ts";
export type { ClarificationQuestion, IntakeResult, Knowledge, Role } from "./model/roles.ts";
export type { Answer } from "./model/task.ts";
export type { Usage } from "./model/usage.ts";

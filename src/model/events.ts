import { z } from "zod";
import { FailureCode } from "./agent.ts";
import { Configuration } from "./configuration.ts";
import { Criterion } from "./criterion.ts";
import { Evaluation } from "./evaluation.ts";
import { StepKind } from "./flow/steps-registry.ts";
import { MessageRecord, StatementRecord } from "./message-record.ts";
import type { Notice } from "./notices.ts";
import { ProofRecord } from "./proof-record.ts";
import { EffectStage, ExecutionSummary, JudgmentRecord, LandingRecord, LoopResult } from "./records.ts";
import { ClarificationQuestion, IntakeResult, Role } from "./roles.ts";
import { TaskId } from "./task.ts";
import { Usage } from "./usage.ts";
import { WorkerRecord } from "./workers.ts";

/** Grows when an older reader would misread an event. Readers skip new events and keys. */
export const WIRE_VERSION = 1;

export const Phase = z.enum([
  "intake",
  "execute",
  "summarize",
  "check",
  "judge",
  "prove",
  "setup",
  "review",
  "queue",
  "land",
]);
export type Phase = z.infer<typeof Phase>;

const iteration = z.int().min(0);
const epochMilliseconds = z.number();
/** The length of a text whose stored event holds only the beginning. */
const cut_from = z.int().optional();

const values = z.record(z.string(), z.unknown()).optional();
/** An earlier version called `params` `details`. */
const NoticeRecord = z
  .object({ code: z.string(), params: values, details: values })
  .transform(({ code, params, details }) => ({
    code,
    params: params ?? details ?? {},
  })) as unknown as z.ZodType<Notice>;

/** What happens inside an agent while it works. */
export const AgentEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), role: Role, text: z.string(), cut_from }),
  z.object({ type: z.literal("tool-call"), role: Role, tool: z.string(), detail: z.string() }),
  z.object({ type: z.literal("tool-denied"), role: Role, tool: z.string(), reason: StatementRecord }),
  /** Spent since the last such event of the same answer; their sum never exceeds the reply's usage. */
  z.object({ type: z.literal("usage"), role: Role, usage: Usage }),
  z.object({ type: z.literal("notice"), notice: NoticeRecord }),
  /** The agent itself will ask its model again; `waiting` is the loop's own wait, after the agent has given up. */
  z.object({
    type: z.literal("api-retry"),
    role: Role,
    code: FailureCode,
    /** The HTTP status; null where no answer came. */
    status: z.int().nullable(),
    attempt: z.int(),
    max_attempts: z.int(),
    until: epochMilliseconds,
  }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;

/** A flow begins with one of its steps. */
export const StepStart = z.object({
  type: z.literal("step-start"),
  iteration,
  step_id: z.string(),
  name: z.string(),
  kind: StepKind,
  /** Who takes it, as `--agent` names agents. Absent for a program. */
  agent: z.string().optional(),
  /** Its place among the flow's steps as they are declared, the entry step being the first. */
  number: z.int(),
  of: z.int(),
  /** Its worker is told what was wrong with an earlier attempt. */
  is_retry: z.boolean(),
});
export type StepStart = z.infer<typeof StepStart>;

/** The thrown error, for debugging. */
const Thrown = z.object({ message: z.string(), stack: z.string().optional() });

/** Everything a surface needs to show a run. A record is on disk before it is announced. */
export const RunEvent = z.discriminatedUnion("type", [
  ...AgentEvent.options,
  z.object({
    type: z.literal("run-start"),
    task_id: TaskId,
    directory: z.string(),
    task: z.string(),
    criteria: z.array(Criterion),
    resumed_after: iteration,
    /** Who took over last from the preferred agent. */
    worker: z.string().optional(),
    max_iterations: z.int(),
    budget: Configuration.shape.budget,
    /** What earlier runs of the task have spent. */
    spent: Usage,
    /** The last judgment's, where the task goes on. */
    evaluations: z.array(Evaluation),
  }),
  z.object({ type: z.literal("intake"), result: IntakeResult, criteria: z.array(Criterion) }),
  z.object({ type: z.literal("clarification"), questions: z.array(ClarificationQuestion) }),
  z.object({ type: z.literal("iteration-start"), iteration, max_iterations: z.int() }),
  /** `beside`: the checks run during this phase. The remaining ones get their own phase. */
  z.object({ type: z.literal("phase-start"), phase: Phase, iteration, beside: z.literal("check").optional() }),
  z.object({
    type: z.literal("waiting"),
    code: FailureCode,
    reason: StatementRecord,
    until: epochMilliseconds,
    attempt: z.int(),
  }),
  /** The run stands still, with all its processes, or goes on again. */
  z.object({ type: z.literal("pause"), is_paused: z.boolean() }),
  /** The worker of this iteration is told what the user has said. */
  z.object({ type: z.literal("note"), iteration, text: z.string(), cut_from }),
  z.object({ type: z.literal("check-end"), iteration, evaluation: Evaluation }),
  /** A command of `setup` has ended, in a clean checkout. `output`: its end. */
  z.object({
    type: z.literal("setup-end"),
    iteration,
    command: z.string(),
    is_done: z.boolean(),
    outcome: MessageRecord,
    output: z.string(),
  }),
  z.object({ type: z.literal("summary"), summary: ExecutionSummary }),
  z.object({ type: z.literal("judgment"), judgment: JudgmentRecord }),
  z.object({ type: z.literal("proof"), proof: ProofRecord }),
  z.object({ type: z.literal("landing"), landing: LandingRecord }),
  /** Another worker takes over. */
  z.object({ type: z.literal("worker-change"), change: WorkerRecord }),
  z.object({ type: z.literal("spent"), total: Usage }),
  /** A flow goes one way: created, started, running, stopped. */
  z.object({ type: z.literal("agent-state"), state: z.enum(["created", "started", "running", "stopped"]) }),
  StepStart,
  /** A flow's completion conditions: all when a run begins, then those about to be checked, in order. */
  z.object({ type: z.literal("conditions"), conditions: z.array(z.string()) }),
  z.object({
    type: z.literal("effect"),
    key: z.string(),
    stage: EffectStage,
    what: StatementRecord,
    problem: StatementRecord.optional(),
  }),
  z.object({ type: z.literal("run-end"), result: LoopResult, thrown: Thrown.optional() }),
]);
export type RunEvent = z.infer<typeof RunEvent>;

/** One line of the event wire. `seq` counts from 1 over all runs of a task. */
export const EventEnvelope = z.object({
  v: z.literal(WIRE_VERSION),
  task_id: TaskId,
  seq: z.int().min(1),
  at: z.string(),
  event: RunEvent,
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

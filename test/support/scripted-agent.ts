import type { z } from "zod";
import type { Agent } from "../../src/connection/ports/agent.ts";
import type { AgentReply, Assignment, FailureCode } from "../../src/model/agent.ts";
import type { AgentEvent } from "../../src/model/events.ts";
import type { KnowledgeDraft, ReviewerResult, Role } from "../../src/model/roles.ts";
import { addUsage, NOTHING_SPENT, type Usage } from "../../src/model/usage.ts";
import type { ManualClock } from "./fakes.ts";

/** One answer of a scripted agent: the reply, and what happens on the way to it. */
export interface Scene extends Partial<Omit<AgentReply, "usage">> {
  /** Spent, and announced while the agent works. */
  usage?: Partial<Usage>;
  /** Spent as well, but only told in the reply. */
  usageAtTheEnd?: Partial<Usage>;
  events?: AgentEvent[];
  /** How long it takes. */
  seconds?: number;
  /** Called while the agent works. */
  during?: (signal: AbortSignal) => void | Promise<void>;
}

type Scenes = readonly Scene[] | ((assignment: Assignment) => Scene);
export type Script = Partial<Record<Role, Scenes>>;

const UNREMARKABLE: Record<Role, Scene> = {
  intake: accepted("the task", ["the criterion"]),
  executor: worked("did some work"),
  summarizer: summarized("some work was done"),
  judge: judged([true]),
  reviewer: reviewed(),
};

/** Answers each role's assignments in order, the last scene for ever, and remembers what it was asked. */
export class ScriptedAgent implements Agent {
  readonly assignments: Assignment[] = [];
  readonly #script: Script;
  readonly #clock: ManualClock;

  constructor(script: Script, clock: ManualClock) {
    this.#script = script;
    this.#clock = clock;
  }

  asked(role: Role): Assignment[] {
    return this.assignments.filter((assignment) => assignment.role === role);
  }

  prompts(role: Role): string[] {
    return this.asked(role).map(({ prompt }) => prompt);
  }

  async *work(assignment: Assignment, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentReply> {
    this.assignments.push(assignment);
    const { role } = assignment;
    const { usage, usageAtTheEnd, events, seconds, during, ...reply } = this.#sceneFor(assignment);
    for (const event of events ?? []) yield event;
    this.#clock.advance(seconds ?? 0);
    await during?.(signal);
    const told = { ...NOTHING_SPENT, ...usage };
    if (usage) yield { type: "usage", role, usage: told };
    const spent = addUsage(told, { ...NOTHING_SPENT, ...usageAtTheEnd });
    return { text: "", tools_used: [], files_modified: [], ...reply, usage: spent };
  }

  #sceneFor(assignment: Assignment): Scene {
    const scenes = this.#script[assignment.role];
    if (typeof scenes === "function") return scenes(assignment);
    const turn = this.asked(assignment.role).length - 1;
    return scenes?.[turn] ?? scenes?.at(-1) ?? UNREMARKABLE[assignment.role];
  }
}

/** An executor that reports success, unless told otherwise. */
export function worked(
  output: string,
  more: { status?: string; approach?: string; discoveries?: string[] } = {},
): Scene {
  const { status = "success", approach = "plainly", discoveries = [] } = more;
  return { structured: { status, output, semantic_metadata: { approach, strategy_tags: [], discoveries } } };
}

export function summarized(reason: string, knowledge: Partial<KnowledgeDraft>[] = []): Scene {
  const drafts = knowledge.map((one) => ({ type: "lesson", category: "general", content: "something", ...one }));
  return { structured: { approach: "plainly", reason, knowledge: drafts } };
}

/** A judge's word on criteria 1, 2 …; `is_complete` follows from it unless told otherwise. */
export function judged(
  met: readonly boolean[],
  more: { is_complete?: boolean; evidence?: string; suggestion?: string } = {},
): Scene {
  const { is_complete = met.every(Boolean), evidence = "the record says so", suggestion = null } = more;
  const evaluations = met.map((is_met, index) => ({ id: index + 1, criterion: "", is_met, evidence, confidence: 0.9 }));
  return {
    structured: { is_complete, evaluations, overall_reason: "looked at it", suggested_next_action: suggestion },
  };
}

/** A reviewer's answer; without findings unless told otherwise. */
export function reviewed(answer: Partial<z.input<typeof ReviewerResult>> = {}): Scene {
  return { structured: { findings: [], criteria: [], protected_files: [], ignored_files: null, ...answer } };
}

export function accepted(task: string, criteria: readonly string[]): Scene {
  return { structured: { status: "accepted", task, criteria } };
}

export function unclear(...questions: string[]): Scene {
  const clarification_questions = questions.map((question) => ({ question, suggested_answers: ["yes", "no"] }));
  return { structured: { status: "needs_clarification", task: "", criteria: [], clarification_questions } };
}

export function failing(code: FailureCode, message = `it was ${code}`, retry_at?: number): Scene {
  return { failure: { code, message, ...(retry_at === undefined ? {} : { retry_at }) } };
}

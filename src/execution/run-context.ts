import type { Ports } from "../connection/ports/run.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Statement } from "../model/message.ts";
import type { TimeLimit } from "../model/messages/system.ts";
import type { SandboxUse } from "../model/sandbox.ts";
import type { Template } from "../model/template.ts";
import type { Meter } from "./meter.ts";
import type { EarlierWork } from "./proof/baseline.ts";
import type { TurnLog } from "./stand-in.ts";

/** The shipped prompt texts, by the name of their file under `prompts/`. */
export const PROMPT_NAMES = [
  "intake",
  "intake-question",
  "executor-system",
  "executor",
  "executor-last-output",
  "executor-raw-output",
  "executor-notes",
  "executor-earlier-notes",
  "executor-escalated",
  "summarizer",
  "summarizer-question",
  "judge",
  "judge-guidance",
  "judge-question",
  "reviewer",
  "reviewer-question",
] as const;
export type PromptSet = Readonly<Record<(typeof PROMPT_NAMES)[number], Template>>;

/** How long a check may take: its own limit, or that of all checks. */
export function checkLimit({ command_timeout }: Configuration, own: number | undefined): TimeLimit {
  return own === undefined
    ? { seconds: command_timeout, setting: "--check-timeout" }
    : { seconds: own, setting: "timeout" };
}

/** What every phase of a run can use. */
export interface RunContext {
  readonly ports: Ports;
  readonly configuration: Configuration;
  readonly prompts: PromptSet;
  /** Says a statement in English, for prompts. */
  readonly tell: (statement: Statement) => string;
  readonly meter: Meter;
  /** Where worker and checks run. */
  readonly sandbox: SandboxUse;
  /** Whether a model can judge the work. */
  readonly has_model: boolean;
  /** Whether a model can review the work. */
  readonly has_reviewer: boolean;
  /** Finds what earlier tasks have left; absent where the user accepts it. */
  readonly earlier?: (() => Promise<EarlierWork[]>) | undefined;
  /** Who works, by the run's records; absent before it begins. */
  readonly turns: { log?: TurnLog };
  readonly signal: AbortSignal;
  /** Aborts when the run is to end after the iteration in hand, for another worker to go on. */
  readonly hand_back?: AbortSignal | undefined;
}

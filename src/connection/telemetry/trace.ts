import type { Phase, RunEvent } from "../../model/events.ts";
import type { LoopResult } from "../../model/records.ts";
import type { Role } from "../../model/roles.ts";
import type { Attributes, FinishedSpan } from "./otlp.ts";
import { type OpenSpan, SpanTree } from "./span-tree.ts";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export interface TraceOptions {
  parent: string | undefined;
  has_content: boolean;
}

/** Who is asked in a phase. In the others, programs run. */
const ROLE_OF: Partial<Record<Phase, Role>> = {
  intake: "intake",
  execute: "executor",
  summarize: "summarizer",
  judge: "judge",
  review: "reviewer",
};

/** Makes a trace of a run's events: run ▸ iteration ▸ phase ▸ tool call and check; run ▸ iteration ▸ proof ▸ phase. */
export class RunTrace {
  readonly #tree: SpanTree;
  readonly #hasContent: boolean;
  #run: OpenSpan | undefined;
  #iteration: OpenSpan | undefined;
  #proof: OpenSpan | undefined;
  #phase: OpenSpan | undefined;
  #tool: OpenSpan | undefined;
  /** When the check began whose end comes next. */
  #checkFrom = 0;

  constructor({ parent, has_content }: TraceOptions) {
    this.#tree = new SpanTree(parent);
    this.#hasContent = has_content;
  }

  take(): FinishedSpan[] {
    return this.#tree.take();
  }

  see(event: RunEvent, at: number): void {
    if (event.type !== "check-end" && event.type !== "notice") this.#tree.end(this.#tool, at);
    switch (event.type) {
      case "run-start":
        this.#run = this.#tree.begin("invoke_agent endless8", at, undefined, runAttributes(event));
        return;
      case "iteration-start":
        this.#beginIteration(event, at);
        return;
      case "phase-start":
        this.#beginPhase(event, at);
        return;
      case "tool-call":
        this.#beginTool(event, at);
        return;
      case "check-end":
        this.#check(event, at);
        return;
      case "usage":
        addSpent(this.#phase, event);
        return;
      case "proof":
        this.#tree.end(this.#proof, at, proofAttributes(event));
        return;
      case "run-end":
        this.#tree.end(this.#run, at, resultAttributes(event.result));
        return;
      default:
        this.#note(event, at);
    }
  }

  #beginIteration({ iteration }: EventOf<"iteration-start">, at: number): void {
    this.#tree.end(this.#iteration, at);
    this.#iteration = this.#tree.begin(`iteration ${iteration}`, at, this.#run, { "e8.iteration": iteration });
  }

  #beginPhase({ phase, beside, iteration }: EventOf<"phase-start">, at: number): void {
    this.#tree.end(this.#phase, at);
    const around = this.#iteration ?? this.#run;
    if (phase === "prove") {
      this.#tree.end(this.#proof, at);
      this.#proof = this.#tree.begin("proof", at, around, { "e8.iteration": iteration });
    } else if (phase === "execute" || phase === "land" || phase === "queue") this.#tree.end(this.#proof, at);
    const parent = this.#tree.isOpen(this.#proof) ? this.#proof : around;
    const role = ROLE_OF[phase];
    this.#phase = this.#tree.begin(role ? `invoke_agent ${role}` : `phase ${phase}`, at, parent, {
      "e8.phase": phase,
      "e8.iteration": iteration,
      ...(role && { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": role }),
    });
    if (phase === "check" || phase === "prove" || beside) this.#checkFrom = at;
  }

  /** The wire says when a call begins; it has ended by the next event of the agent. */
  #beginTool({ tool, role, detail }: EventOf<"tool-call">, at: number): void {
    this.#tool = this.#tree.begin(`execute_tool ${tool}`, at, this.#phase ?? this.#run, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.agent.name": role,
      ...(this.#hasContent && { "gen_ai.tool.call.arguments": detail }),
    });
  }

  #check({ evaluation, iteration }: EventOf<"check-end">, at: number): void {
    const { id, is_met, source, criterion } = evaluation;
    const span = this.#tree.begin(`check ${id}`, this.#checkFrom || at, this.#phase ?? this.#run, {
      "e8.check.id": id,
      "e8.check.is_met": is_met,
      "e8.check.source": source,
      "e8.iteration": iteration,
      ...(this.#hasContent && { "e8.check.criterion": criterion }),
    });
    this.#tree.end(span, at);
    this.#checkFrom = at;
  }

  #note(event: RunEvent, at: number): void {
    const attributes = noted(event);
    if (attributes) this.#tree.note(this.#phase ?? this.#run, { name: event.type, at, attributes });
  }
}

/** The wire has the sum of all kinds of tokens, so it cannot say how many went in and how many came out. */
function addSpent(span: OpenSpan | undefined, { usage }: EventOf<"usage">): void {
  if (!span) return;
  const { "e8.tokens": tokens = 0, "e8.cost_usd": cost = 0 } = span.attributes;
  span.attributes = {
    ...span.attributes,
    "e8.tokens": Number(tokens) + usage.tokens,
    "e8.cost_usd": Number(cost) + usage.cost_usd,
  };
}

function runAttributes({ task_id, resumed_after, worker, max_iterations }: EventOf<"run-start">): Attributes {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "endless8",
    "gen_ai.conversation.id": task_id,
    "e8.task.id": task_id,
    "e8.resumed_after": resumed_after,
    "e8.max_iterations": max_iterations,
    "e8.worker": worker,
  };
}

function proofAttributes({ proof }: EventOf<"proof">): Attributes {
  return { "e8.proof.holds": proof.holds, "e8.proof.method": proof.method };
}

function resultAttributes({ status, stop_reason, iterations_used, usage, error_code }: LoopResult) {
  return {
    "e8.status": status,
    "e8.stop_reason": stop_reason,
    "e8.iterations": iterations_used,
    "e8.tokens": usage.tokens,
    "e8.cost_usd": usage.cost_usd,
    ...(error_code !== null && { "error.type": error_code }),
    ...(status === "error" && { problem: error_code ?? "error" }),
  };
}

function noted(event: RunEvent): Attributes | undefined {
  if (event.type === "waiting") return { "e8.code": event.code, "e8.until": new Date(event.until).toISOString() };
  if (event.type === "api-retry") return { "e8.code": event.code, "http.response.status_code": event.status ?? 0 };
  if (event.type === "tool-denied") return { "gen_ai.tool.name": event.tool };
  if (event.type === "notice") return { "e8.code": event.notice.code };
  if (event.type === "worker-change") return { "e8.worker": event.change.to, "e8.code": event.change.cause };
  return event.type === "pause" ? { "e8.is_paused": event.is_paused } : undefined;
}

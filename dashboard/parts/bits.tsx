import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { type Problem, UNREACHABLE } from "../data/source.ts";
import { label, texts } from "../texts/texts.ts";
import { coded } from "./coded.tsx";

const SIGNS: Record<TaskRow["status"], string> = {
  queued: "…",
  running: "●",
  paused: "‖",
  interrupted: "!",
  unreadable: "?",
  completed: "✓",
  max_iterations: "↻",
  budget_exceeded: "$",
  stalled: "≈",
  conditions_failed: "✕",
  error: "✕",
  cancelled: "–",
  clarification_needed: "?",
};

const TONES: Partial<Record<TaskRow["status"], string>> = {
  running: "live",
  completed: "good",
  clarification_needed: "ask",
  paused: "ask",
  error: "bad",
  unreadable: "bad",
  conditions_failed: "bad",
  interrupted: "warn",
  max_iterations: "warn",
  budget_exceeded: "warn",
  stalled: "warn",
};

export function Status({ status }: { status: TaskRow["status"] }) {
  return (
    <span class="status" data-tone={TONES[status] ?? "plain"}>
      <span class="sign" aria-hidden="true">
        {SIGNS[status] ?? "?"}
      </span>
      {label(texts().status, status)}
    </span>
  );
}

export function Chip({ tone = "plain", children }: { tone?: string; children: ComponentChildren }) {
  return (
    <span class="chip" data-tone={tone}>
      {children}
    </span>
  );
}

/** A part of a whole as a bar; the words beside it say the same. */
export function Meter({ part, whole, tone = "good" }: { part: number; whole: number; tone?: string }) {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  return (
    <span class="meter" data-tone={tone} aria-hidden="true">
      <span style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

const TRIED_EVERY = 3_000;

/** Tries by itself where only the server is missing. */
export function ProblemBox({ problem, again }: { problem: Problem; again: () => void }) {
  const retry = useRef(again);
  retry.current = again;
  const isUnreachable = problem.code === UNREACHABLE;
  useEffect(() => {
    if (!isUnreachable) return;
    const timer = setInterval(() => retry.current(), TRIED_EVERY);
    return () => clearInterval(timer);
  }, [isUnreachable]);
  return (
    <div class="problem" role="alert">
      <p>{coded(texts().failed(problem.message))}</p>
      {problem.hint && <p class="quiet">{coded(problem.hint)}</p>}
      <button type="button" onClick={again}>
        {texts().again}
      </button>
    </div>
  );
}

export function Waiting() {
  return (
    <p class="quiet waiting" role="status">
      {texts().loading}
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Section({
  title,
  side,
  children,
}: {
  title: string;
  side?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {side}
      </header>
      {children}
    </section>
  );
}

/** Buttons of which one is pressed. */
export function Choice<T extends string>(props: {
  label: string;
  options: readonly { value: T; text: string; count?: number }[];
  chosen: T;
  choose: (value: T) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{props.label}</legend>
      {props.options.map(({ value, text, count }) => (
        <button key={value} type="button" aria-pressed={value === props.chosen} onClick={() => props.choose(value)}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </fieldset>
  );
}

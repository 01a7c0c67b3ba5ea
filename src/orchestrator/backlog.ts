import type { BacklogQueue, Turn } from "../connection/ports/backlog.ts";
import type { BacklogEvent, BacklogItem, BacklogResult } from "../model/backlog.ts";
import { problemOf } from "../model/errors.ts";
import { Pushed } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { Workflow } from "../model/flow/workflow.ts";
import { sameLabel, type TrackedItem } from "../model/issue.ts";
import type { Statement } from "../model/message.ts";
import type { TaskId } from "../model/task.ts";
import { QueueBook } from "./book.ts";
import { type Choice, choiceFor } from "./choose.ts";
import { IssueList } from "./issue-list.ts";
import { issueTask } from "./issue-task.ts";
import { inOrder, priorityChanges } from "./order.ts";
import { reportOf } from "./report.ts";
import { follow, hasRoom, type Running } from "./running.ts";
import { type Chosen, type TurnParts, takeTurn } from "./turn.ts";

export interface BacklogPorts extends Omit<TurnParts, "book" | "workflow"> {
  queue: BacklogQueue;
}

export interface BacklogWish {
  labels: readonly string[];
  /** Only these, where there are any. */
  issues: readonly number[];
  /** The most issues to begin with. */
  limit: number;
  parallel: number;
  /** Takes up issues again that wait for a person. */
  resume: boolean;
  /** Looks for new issues, every so many seconds, until it is stopped. */
  watch_seconds?: number | undefined;
  max_cost?: number | undefined;
  workflow?: Workflow | undefined;
}

/**
 * Works through a backlog: decides who is next, and records it. Everything that it needs after a crash is in the queue's records and in
 * those of the tasks.
 */
export class Backlog {
  readonly #parts: TurnParts;
  readonly #wish: BacklogWish;
  readonly #book: QueueBook;
  readonly #list: IssueList;
  readonly #running = new Map<number, Running>();
  readonly #pushed = new Pushed<BacklogEvent>();
  /** The issues that were begun in this session. */
  readonly #begun = new Set<number>();
  #spent = { cost_usd: 0, tokens: 0 };
  #stopped: BacklogResult["stopped"];

  constructor({ queue, ...ports }: BacklogPorts, wish: BacklogWish) {
    this.#book = new QueueBook(queue, ports.clock);
    this.#parts = { ...ports, book: this.#book, workflow: wish.workflow };
    this.#wish = wish;
    this.#list = new IssueList(ports.tracker, wish);
  }

  async *work(signal: AbortSignal): AsyncGenerator<BacklogEvent, BacklogResult> {
    const stop = new AbortController();
    const all = AbortSignal.any([signal, stop.signal]);
    const turns = new Set<Promise<void>>();
    try {
      await unlessStopped(this.#open(all), all);
      for (;;) {
        const arrived = this.#pushed.arrived();
        yield* this.#pushed.take();
        if (this.#isOutOfBudget()) stop.abort();
        if (all.aborted) this.#stopped ??= signal.aborted ? "cancelled" : "budget";
        else await unlessStopped(this.#begin(turns, all), all);
        if (this.#running.size > 0) await arrived;
        else if (!(yield* this.#waitsForMore(all))) break;
      }
      yield* this.#pushed.take();
      return this.#result();
    } finally {
      stop.abort(); // also where the reader has left
      await Promise.all(turns);
    }
  }

  /** What would be worked on, in which order, and what would have to wait. */
  async plan(
    signal: AbortSignal,
  ): Promise<{ next: Chosen[]; waiting: { issue: TrackedItem; blocked_by: number[] }[] }> {
    await this.#book.open();
    await this.#list.refresh(signal);
    const waiting: { issue: TrackedItem; blocked_by: number[] }[] = [];
    for (const { issue } of this.#workable()) {
      const blocked_by = await this.#list.blockersOf(issue, signal);
      if (blocked_by.length > 0) waiting.push({ issue, blocked_by });
    }
    return { next: (await this.#candidates(signal)).slice(0, this.#wish.limit), waiting };
  }

  async #open(signal: AbortSignal): Promise<void> {
    await this.#book.open();
    await this.#list.refresh(signal);
    await this.#prioritize(signal);
    if (!this.#wish.resume) return;
    for (const { number } of this.#list.all())
      if (this.#book.item(number).parked !== undefined) await this.#book.enter({ type: "taken", issue: number });
  }

  /** Issues without a label of the prioritizer get one. */
  async #prioritize(signal: AbortSignal): Promise<void> {
    const { prioritizer, agents } = this.#wish.workflow ?? {};
    if (!prioritizer) return;
    const ranked = new Set(prioritizer.labels.map(sameLabel));
    const unranked = this.#list.all().filter(({ labels }) => !labels.some((label) => ranked.has(sameLabel(label))));
    if (unranked.length === 0) return;
    const directory = agents?.[prioritizer.agent]?.directory ?? prioritizer.agent;
    const said = await this.#parts.worker.prioritize(directory, unranked, signal);
    for (const { number, change } of priorityChanges(prioritizer, said, unranked)) {
      await this.#parts.tracker.label(number, change, signal);
      await this.#list.look(number, signal);
    }
  }

  /** Fills the free places. */
  async #begin(turns: Set<Promise<void>>, signal: AbortSignal): Promise<void> {
    if (!this.#hasRoom()) return;
    await this.#blockCircling(signal);
    for (const chosen of await this.#candidates(signal)) {
      if (!this.#hasRoom() || signal.aborted) return;
      const { number } = chosen.issue;
      if (!this.#mayBegin(number)) continue;
      this.#begun.add(number);
      this.#running.set(number, { stands: "at-work", cost_usd: 0, tokens: 0 });
      const turn = this.#turn(chosen, signal).finally(() => {
        turns.delete(turn);
        this.#left(number);
      });
      turns.add(turn);
    }
  }

  #hasRoom(): boolean {
    return hasRoom(this.#running.values(), this.#wish.parallel);
  }

  #mayBegin(number: number): boolean {
    return this.#begun.has(number) || this.#begun.size < this.#wish.limit;
  }

  #left(number: number): void {
    this.#spent = this.#spentBy([this.#running.get(number)]);
    this.#running.delete(number);
    this.#pushed.wake();
  }

  /** The issues that can be worked on now, the most urgent first. */
  async #candidates(signal: AbortSignal): Promise<Chosen[]> {
    const found: Chosen[] = [];
    for (const chosen of this.#workable())
      if ((await this.#list.blockersOf(chosen.issue, signal)).length === 0) found.push(chosen);
    return found;
  }

  #workable(): Chosen[] {
    const { workflow } = this.#wish;
    const choices = this.#choices().flatMap(({ issue, choice }) => {
      const phase = choice.do === "work" && choice.phase !== undefined ? workflow?.phases[choice.phase] : undefined;
      const phase_priority = phase?.type === "actionable" ? phase.priority : 0;
      const { priority } = issueTask(issue);
      const { number, labels, created_at } = issue;
      return choice.do === "work" ? [{ issue, choice, number, labels, created_at, priority, phase_priority }] : [];
    });
    return inOrder(choices, workflow?.prioritizer);
  }

  #choices(): { issue: TrackedItem; choice: Choice }[] {
    const free = this.#list.all().filter(({ number }) => !this.#running.has(number));
    return free.map((issue) => ({
      issue,
      choice: choiceFor(issue, this.#book.item(issue.number), this.#wish.workflow),
    }));
  }

  async #blockCircling(signal: AbortSignal): Promise<void> {
    for (const { issue, choice } of this.#choices()) {
      if (choice.do !== "block") continue;
      const { labels, problem } = choice;
      if (labels.add.length + labels.remove.length > 0) await this.#parts.tracker.label(issue.number, labels, signal);
      await this.#park(issue, problem);
    }
  }

  /** Whether something may still come: issues that others wrote meanwhile. */
  async *#waitsForMore(signal: AbortSignal): AsyncGenerator<BacklogEvent, boolean> {
    const { watch_seconds } = this.#wish;
    if (signal.aborted) return false;
    if (watch_seconds !== undefined) {
      yield* this.#pushed.take();
      yield { type: "idle", until: this.#parts.clock.now().getTime() + watch_seconds * 1000 };
      await this.#parts.clock.sleep(watch_seconds * 1000, signal);
    }
    await unlessStopped(this.#list.refresh(signal), signal);
    if (signal.aborted) return true; // the loop says why it ends
    const next = await this.#candidates(signal);
    return watch_seconds !== undefined || next.some(({ issue }) => this.#mayBegin(issue.number));
  }

  async #turn(chosen: Chosen, signal: AbortSignal): Promise<void> {
    const { issue, choice } = chosen;
    const { clock } = this.#parts;
    try {
      if (choice.delay_ms > 0) await clock.sleep(choice.delay_ms, signal);
      if (signal.aborted) return;
      const end = await takeTurn(
        this.#parts,
        { ...chosen, turn: this.#turnFor(chosen) },
        this.#listener(issue.number),
        signal,
      );
      if (end.is === "undone") await this.#park(issue, end.problem);
      if (end.is === "closed") this.#list.closed(issue.number);
      if (end.is === "open") await this.#list.look(issue.number, signal);
    } catch (error) {
      if (!signal.aborted) await this.#park(issue, problemOf(error));
    }
  }

  #listener(number: number) {
    const running = this.#running.get(number);
    return {
      stored: (id: TaskId) => void (running && Object.assign(running, { task_id: id })),
      event: (event: RunEvent) => void (running && follow(running, event)),
      tell: (event: BacklogEvent) => this.#pushed.push(event),
    };
  }

  #turnFor({ issue, choice }: Chosen): Turn {
    const { workflow, max_cost } = this.#wish;
    const agent = choice.agent === undefined ? undefined : workflow?.agents[choice.agent];
    const rest = max_cost === undefined ? undefined : Math.max(0, max_cost - this.#spentNow().cost_usd);
    return {
      issue,
      priority: issueTask(issue).priority,
      ...(agent && { agent: { directory: agent.directory, lands: agent.lands, ...phaseIn(choice, workflow) } }),
      follows: this.#book.item(issue.number).turns.findLast(({ ended }) => ended)?.task_id,
      ...(rest !== undefined && { max_cost: rest }),
    };
  }

  async #park({ number, title }: TrackedItem, problem: Statement): Promise<void> {
    await this.#book.enter({ type: "parked", issue: number, title, problem });
    this.#pushed.push({ type: "parked", issue: number, title, problem });
  }

  #spentNow() {
    return this.#spentBy([...this.#running.values()]);
  }

  #spentBy(runs: readonly (Running | undefined)[]) {
    const sum = (key: "cost_usd" | "tokens") =>
      runs.reduce((total, one) => total + (one?.[key] ?? 0), this.#spent[key]);
    return { cost_usd: sum("cost_usd"), tokens: sum("tokens") };
  }

  #isOutOfBudget(): boolean {
    const { max_cost } = this.#wish;
    return max_cost !== undefined && this.#spentNow().cost_usd >= max_cost;
  }

  /** A task that could not begin, for want of a base say, was removed again. */
  async #withTask({ task_id, ...item }: BacklogItem): Promise<BacklogItem> {
    const isThere = task_id !== undefined && (item.state === "done" || (await this.#parts.worker.has(task_id)));
    return isThere ? { ...item, task_id } : item;
  }

  async #result(): Promise<BacklogResult> {
    const blocked = new Map<number, number[]>();
    const never = new AbortController().signal;
    for (const { issue } of this.#workable()) blocked.set(issue.number, await this.#list.blockersOf(issue, never));
    const found = reportOf(this.#list.seen(), this.#book.state, { blocked, begun: this.#begun });
    const items = await Promise.all(found.map((item) => this.#withTask(item)));
    return { items, ...(this.#stopped && { stopped: this.#stopped }), ...this.#spentNow() };
  }
}

function phaseIn({ phase: name = "" }: Chosen["choice"], workflow: Workflow | undefined) {
  const phase = workflow?.phases[name];
  const runner = phase?.type === "actionable" ? phase.runner : undefined;
  return { phase: name, ...(runner !== undefined && { runner }) };
}

/** What fails because it was cut off is no failure. */
async function unlessStopped(act: Promise<void>, signal: AbortSignal): Promise<void> {
  await act.catch((error) => {
    if (!signal.aborted) throw error;
  });
}

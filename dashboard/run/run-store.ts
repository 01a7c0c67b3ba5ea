import { signal } from "@preact/signals";
import type { StreamedEvent, TaskView } from "../../src/model/dashboard.ts";
import { announce } from "../app/announce.tsx";
import { source } from "../app/context.ts";
import { type Problem, problemOf, type Stop, type TaskKey } from "../data/source.ts";
import { applied, changesTheView } from "./apply-events.ts";
import { spokenOf } from "./spoken.ts";

/** More are forgotten from the beginning, in steps. */
const MOST_KEPT = 20_000;
const FORGOTTEN_AT_ONCE = 2_000;
/** How many events of before the page was opened are asked for. */
const EARLIER = 500;
/** A view that takes long to load is loaded less often. */
const SHORTEST_PAUSE = 400;
const PAUSE_PER_LOAD = 5;

/** One run as it is, and what happens in it. */
export class RunStore {
  readonly view = signal<TaskView | undefined>(undefined);
  readonly problem = signal<Problem | undefined>(undefined);
  /** Grows with each batch; `events` is changed in place. */
  readonly version = signal(0);
  readonly events: StreamedEvent[] = [];
  #from = 0;
  /** The last event that the view knows. */
  #seen = 0;
  #stop: Stop = () => {};
  #isClosed = false;
  #planned: ReturnType<typeof setTimeout> | undefined;
  #pause = SHORTEST_PAUSE;
  readonly #key: TaskKey;

  constructor(key: TaskKey) {
    this.#key = key;
  }

  async open(): Promise<void> {
    await this.load();
    const view = this.view.peek();
    if (!view || this.#isClosed || !source().is_live) return;
    this.#follow(Math.max(0, view.seq - EARLIER));
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    clearTimeout(this.#planned);
  }

  async load(): Promise<void> {
    const began = performance.now();
    try {
      const view = await source().task(this.#key);
      if (this.#isClosed) return;
      const later = this.events.filter(({ seq }) => seq > view.seq);
      this.view.value = applied(view, later);
      this.#seen = Math.max(this.#seen, view.seq);
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = problemOf(error);
    }
    this.#pause = Math.max(SHORTEST_PAUSE, (performance.now() - began) * PAUSE_PER_LOAD);
  }

  get hasEarlier(): boolean {
    return this.#from > 0;
  }

  /** Asks for all events that the stream began after. */
  followFromStart(): void {
    this.events.length = 0;
    this.#follow(0);
  }

  #follow(after: number): void {
    this.#stop();
    this.#from = after;
    this.#stop = source().followEvents(this.#key, after, (events) => this.#take(events));
  }

  #take(events: readonly StreamedEvent[]): void {
    this.events.push(...events);
    if (this.events.length > MOST_KEPT) this.events.splice(0, FORGOTTEN_AT_ONCE);
    this.version.value += 1;
    const news = events.filter(({ seq }) => seq > this.#seen);
    const view = this.view.peek();
    if (!view || news.length === 0) return;
    this.#seen = news.at(-1)?.seq ?? this.#seen;
    this.view.value = applied(view, news);
    const spoken = news.map(({ event }) => spokenOf(event)).findLast(Boolean);
    if (spoken) announce(spoken);
    if (news.some(({ event }) => changesTheView(event))) this.#loadSoon();
  }

  #loadSoon(): void {
    if (this.#planned !== undefined) return;
    this.#planned = setTimeout(() => {
      this.#planned = undefined;
      void this.load();
    }, this.#pause);
  }
}

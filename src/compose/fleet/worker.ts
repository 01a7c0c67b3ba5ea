import { placeOf } from "../../connection/git/project-name.ts";
import type { TaskQueue } from "../../connection/ports/task-queue.ts";
import { holdGitHelper } from "../../connection/processes/git-helper.ts";
import { BullmqQueue } from "../../connection/queues/bullmq/bullmq-queue.ts";
import { Alarm } from "../../connection/stores/alarm.ts";
import { type Database, LINE } from "../../connection/stores/postgres/database.ts";
import { requireLikeClocks } from "../../connection/stores/postgres/lease.ts";
import { requireSchema } from "../../connection/stores/postgres/migrate.ts";
import { callWorkers, missingInLine, projectsInLine } from "../../connection/stores/postgres/submissions.ts";
import { forgetWorker, newIdentity, tellOfWorker } from "../../connection/stores/postgres/workers.ts";
import type { Allowance } from "../../model/allowance.ts";
import type { Environment } from "../../model/environment.ts";
import { asE8Error } from "../../model/errors.ts";
import { Pushed } from "../../model/event-stream.ts";
import type { PostponedTask, WorkerEvent, WorkerIdentity, WorkerSlot } from "../../model/fleet.ts";
import type { Language } from "../../model/language.ts";
import { redacted } from "../../model/redaction.ts";
import { type DatabaseStore, redactionOf, requireDatabase } from "../store.ts";
import { carryTask } from "./carry-task.ts";
import { IN_DIRECTORY } from "./submit.ts";

export interface WorkerRequest {
  project: string;
  name?: string | undefined;
  slots: number;
  labels: readonly string[];
  /** What the machine does for the fleet; its repositories are those whose tasks the worker takes. */
  allowance: Allowance;
  /** It takes also tasks that need a directory of the project: the project itself. */
  inDirectory: boolean;
  /** Tasks may work in the same directory at once. */
  samePlace: boolean;
}

export interface WorkerOptions {
  /** No task is taken any more; those in hand are handed back after their iteration. */
  drain: AbortSignal;
  /** The iterations in hand are given up. */
  stop: AbortSignal;
  hurry: AbortSignal;
  environment: Environment;
  language: Language;
}

/** How often a worker looks for tasks where no notification tells it of one. */
const LOOK_MILLISECONDS = 1_000;
/** How often it looks for queues that are new, and for tasks that are in none. */
const SWEEP_MILLISECONDS = 5_000;
/** How often it looks for tasks of workers that have died. */
const RECLAIM_MILLISECONDS = 2_000;
/** A task that was put off and not taken again for so long has another worker, or is over. */
const TAKEN_ELSEWHERE_MILLISECONDS = 10_000;
/** Signs of life a lease. */
const SIGNS = 4;

/** Takes tasks of the fleet and works on them until it is told to drain. Measurements of many workers give another `carry`. */
export async function* workForFleet(
  request: WorkerRequest,
  options: WorkerOptions,
  carry = carryTask,
): AsyncGenerator<WorkerEvent, void> {
  const found = requireDatabase(request.project, "e8 worker");
  const { database } = found.part;
  await requireSchema(database);
  await requireLikeClocks(database);
  const worker = new FleetWorker(found, request, options, carry);
  const leave = holdGitHelper();
  try {
    yield* worker.work();
  } finally {
    leave();
  }
}

class FleetWorker {
  readonly #found: DatabaseStore;
  readonly #options: WorkerOptions;
  readonly #request: WorkerRequest;
  readonly #carry: typeof carryTask;
  readonly #identity: WorkerIdentity;
  readonly #queue: TaskQueue;
  readonly #pushed = new Pushed<WorkerEvent>();
  readonly #running = new Map<string, { slot: WorkerSlot; run: Promise<void> }>();
  readonly #postponed = new Map<string, PostponedTask>();
  readonly #alarm = new Alarm();
  /** Those in line whose names fit. */
  #projects: string[];
  #tasks = 0;
  #isAway = false;
  #swept = 0;
  #reclaimed = 0;
  #told = 0;
  /** Which tasks it has told of. */
  #toldTasks = "";

  constructor(found: DatabaseStore, request: WorkerRequest, options: WorkerOptions, carry: typeof carryTask) {
    this.#carry = carry;
    this.#found = found;
    this.#request = request;
    this.#options = options;
    this.#queue = new BullmqQueue(found.part.database);
    const { slots, labels, name } = request;
    this.#identity = newIdentity({ name, slots, labels: [...labels], projects: projectsOf(found, request) });
    this.#projects = this.#identity.projects;
  }

  async *work(): AsyncGenerator<WorkerEvent, void> {
    yield { type: "worker-start", ...this.#identity };
    let isOver = false;
    const looking = this.#look().finally(() => {
      isOver = true;
      this.#pushed.wake();
    });
    looking.catch(() => {}); // thrown below, once all is told
    while (!isOver) {
      yield* this.#pushed.take();
      if (!isOver) await this.#pushed.arrived();
    }
    await looking;
    yield* this.#pushed.take();
    yield { type: "worker-end", tasks: this.#tasks };
  }

  /** Resolves when the worker has drained. */
  async #look(): Promise<void> {
    const { listener } = this.#found.part;
    const { drain } = this.#options;
    const leave = listener.on("calls", LINE, this.#alarm.ring);
    drain.addEventListener("abort", this.#alarm.ring, { once: true });
    try {
      while (!drain.aborted) await this.#patiently(() => this.#step());
      this.#pushed.push({ type: "draining", tasks: this.#running.size });
      while (this.#running.size > 0) {
        await Promise.race([this.#alarm.wait(LOOK_MILLISECONDS), ...this.#runs()]);
        await this.#tellOfUs().catch(() => {});
      }
    } finally {
      leave();
      await forgetWorker(this.#database, this.#identity.worker_id).catch(() => {});
      await this.#queue.close();
    }
  }

  /** Takes a task, or waits until there may be one. */
  async #step(): Promise<void> {
    await this.#tellOfUs();
    if (Date.now() - this.#swept > SWEEP_MILLISECONDS) await this.#sweep();
    if (Date.now() - this.#reclaimed > RECLAIM_MILLISECONDS) await this.#reclaim();
    const isFull = this.#running.size >= this.#request.slots;
    const taken = isFull ? undefined : await this.#queue.take(this.#offer);
    if (!taken) return void (await Promise.race([this.#alarm.wait(LOOK_MILLISECONDS), ...this.#runs()]));
    const slot: WorkerSlot = { task_id: taken.id, since: new Date().toISOString(), iteration: 0 };
    const run = this.#carry(taken, this.#found, {
      ...this.#options,
      allowance: this.#request.allowance,
      samePlace: this.#request.samePlace,
      tell: (event) => this.#tell(slot, event),
    }).finally(() => this.#leave(taken.id, slot));
    this.#running.set(taken.id, { slot, run });
    this.#tasks += 1;
  }

  #leave(id: string, slot: WorkerSlot): void {
    if (this.#running.get(id)?.slot === slot) this.#running.delete(id);
    this.#alarm.ring();
  }

  /** A run's own events hold no secrets already. Others look at once for a task that was handed back. */
  #tell(slot: WorkerSlot, event: WorkerEvent): void {
    if (event.type === "run") follow(slot, event.envelope.event);
    const told = event.type === "run" ? event : redacted(event, redactionOf(this.#request.project));
    this.#note(told);
    this.#pushed.push(told);
    if (event.type !== "task-handed-back") return;
    void callWorkers(this.#database).catch(() => {});
  }

  /** What is put off is told to those who look at the fleet, until it is taken again. */
  #note(event: WorkerEvent): void {
    if (event.type === "task-postponed") {
      const { task_id, seconds, error_code, error_details } = event;
      const again_at = Date.now() + seconds * 1000;
      this.#postponed.set(task_id, { task_id, again_at, error_code, error_details });
    } else if (event.type === "run") this.#postponed.delete(event.task_id);
  }

  /** Another worker may have taken what was not taken here. */
  #putOff(): PostponedTask[] {
    const recent = Date.now() - TAKEN_ELSEWHERE_MILLISECONDS;
    for (const { task_id, again_at } of this.#postponed.values())
      if (again_at < recent) this.#postponed.delete(task_id);
    return [...this.#postponed.values()];
  }

  /** New queues, and tasks that are in none. */
  async #sweep(): Promise<void> {
    this.#swept = Date.now();
    this.#projects = fitting(this.#identity.projects, await projectsInLine(this.#database));
    for (const { task_id, ...place } of await missingInLine(this.#database, this.#projects))
      await this.#queue.add(task_id, place);
  }

  /** Also while it has no room: another worker may have. */
  async #reclaim(): Promise<void> {
    this.#reclaimed = Date.now();
    const found = await this.#queue.reclaim(this.#offer);
    if (found.length > 0) await callWorkers(this.#database);
  }

  async #tellOfUs(): Promise<void> {
    const running = [...this.#running.values()].map(({ slot }) => slot);
    const postponed = this.#putOff();
    const tasks = [...running, ...postponed].map(({ task_id }) => task_id).join();
    const isNews = tasks !== this.#toldTasks;
    const rest = isNews ? LOOK_MILLISECONDS : (this.#database.address.lease * 1000) / SIGNS;
    if (Date.now() - this.#told < rest) return;
    this.#told = Date.now();
    this.#toldTasks = tasks;
    await tellOfWorker(this.#database, {
      ...this.#identity,
      running,
      postponed,
      is_draining: this.#options.drain.aborted,
    });
  }

  /** A database that is away is waited for. */
  async #patiently(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      if (this.#isAway) this.#pushed.push({ type: "store-back" });
      this.#isAway = false;
    } catch (error) {
      const { code: error_code, details: error_details } = asE8Error(error);
      if (!error_code.startsWith("store_")) throw error;
      if (!this.#isAway) this.#pushed.push({ type: "store-away", error_code, error_details });
      this.#isAway = true;
      await this.#alarm.wait(LOOK_MILLISECONDS, this.#options.drain);
    }
  }

  #runs(): Promise<void>[] {
    return [...this.#running.values()].map(({ run }) => run);
  }

  get #offer() {
    const { labels } = this.#identity;
    return { projects: this.#projects, labels: this.#request.inDirectory ? [...labels, IN_DIRECTORY] : labels };
  }

  get #database(): Database {
    return this.#found.part.database;
  }
}

function projectsOf({ part }: DatabaseStore, { allowance, inDirectory }: WorkerRequest): string[] {
  const own = inDirectory ? [part.project] : [];
  const named = allowance.repositories.map((url) => part.database.address.project ?? placeOf(url) ?? url);
  return [...new Set([...own, ...named])];
}

/** `*` stands for everything but a slash, `**` for everything. */
function fitting(patterns: readonly string[], projects: readonly string[]): string[] {
  const sources = patterns.map((pattern) =>
    pattern
      .split(/(\*\*|\*)/)
      .map((part) => ({ "*": "[^/]*", "**": ".*" })[part] ?? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(""),
  );
  return projects.filter((name) => sources.some((source) => new RegExp(`^${source}$`).test(name)));
}

/** What `e8 fleet status` shows of a run. */
function follow(slot: WorkerSlot, event: Extract<WorkerEvent, { type: "run" }>["envelope"]["event"]): void {
  if (event.type === "iteration-start") slot.iteration = event.iteration;
  if (event.type === "waiting") slot.waits_until = event.until;
  else if (event.type === "phase-start") delete slot.waits_until;
}

import { eventsOf, overviews, taskIds, watchTasks } from "../compose/looking-back.ts";
import { issuesIn, queueOf } from "../compose/status.ts";
import type { TaskRow } from "../model/dashboard.ts";
import type { Language } from "../model/language.ts";
import type { TaskId } from "../model/task.ts";
import type { Overview } from "./parts.ts";
import type { ShownProject } from "./projects.ts";
import { LIVE_TYPES, type LiveFacts, liveFacts, taskRow, withLive } from "./views/task-row.ts";

/** Changes that come together are told together. */
const GATHER_MILLISECONDS = 200;
const AGAIN_MILLISECONDS = 5_000;
/** Of all that a store says of a task, a row keeps little. */
const READ_AT_ONCE = 100;

interface Known {
  /** What the store has said, without the evidence of the last run's end, which takes more room than all else. */
  standing: TaskRow | Extract<Overview, { error: unknown }>;
  live?: LiveFacts;
  /** Stops following its run. */
  leave?: AbortController;
}

/**
 * The tasks of a project as they stand. The store tells which have begun or ended, and of each that runs the events tell the rest, so that
 * nothing is read again while nothing happens.
 */
export class TaskList {
  readonly #project: ShownProject;
  readonly #known = new Map<TaskId, Known>();
  readonly #listeners = new Set<(ids: readonly TaskId[]) => void>();
  readonly #dirty = new Set<TaskId>();
  readonly #stale = new Set<TaskId>();
  #issues: ReadonlyMap<TaskId, number> = new Map();
  #loading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(project: ShownProject) {
    this.#project = project;
  }

  async rows(language: Language, ids?: readonly TaskId[]): Promise<TaskRow[]> {
    this.#loading ??= this.#load();
    await this.#loading;
    const shown = ids ? ids.flatMap((id) => this.#known.get(id) ?? []) : [...this.#known.values()];
    return shown.map(({ standing, live }) =>
      "error" in standing ? this.#rowOf(standing, language) : withLive(standing, live),
    );
  }

  /** Calls back with the tasks whose rows are different now. Returns how to stop. */
  onChange(listener: (ids: readonly TaskId[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#leave?.();
    clearTimeout(this.#timer);
    for (const { leave } of this.#known.values()) leave?.abort();
  }

  async #load(): Promise<void> {
    const { directory } = this.#project;
    this.#leave = watchTasks(directory, (id) => this.#note(this.#stale, id));
    try {
      this.#issues = issuesIn(await queueOf(directory));
      const ids = await taskIds(directory);
      for (let start = 0; start < ids.length; start += READ_AT_ONCE)
        for (const overview of await overviews(directory, ids.slice(start, start + READ_AT_ONCE))) this.#take(overview);
    } catch (error) {
      this.#leave();
      this.#loading = undefined;
      throw error;
    }
  }

  #note(what: Set<TaskId>, id: TaskId): void {
    what.add(id);
    this.#timer ??= setTimeout(() => void this.#refresh(), GATHER_MILLISECONDS).unref();
  }

  async #refresh(): Promise<void> {
    const stale = [...this.#stale];
    this.#stale.clear();
    const isRead = await this.#read(stale).then(
      () => true,
      () => false, // the disk or the database is away for a while
    );
    this.#timer = isRead ? undefined : setTimeout(() => void this.#refresh(), AGAIN_MILLISECONDS).unref();
    if (!isRead) for (const id of stale) this.#stale.add(id);
    const changed = [...this.#dirty];
    this.#dirty.clear();
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
    if (isRead) for (const id of this.#stale) this.#note(this.#stale, id);
  }

  async #read(ids: readonly TaskId[]): Promise<void> {
    if (ids.length === 0) return;
    const { directory } = this.#project;
    this.#issues = issuesIn(await queueOf(directory));
    const found = await overviews(directory, ids);
    for (const overview of found) this.#take(overview);
    const present = new Set(found.map(idOf));
    for (const id of ids.filter((one) => !present.has(one))) {
      this.#known.get(id)?.leave?.abort();
      this.#known.delete(id);
    }
    for (const id of ids) this.#dirty.add(id);
  }

  #rowOf(overview: Overview, language: Language): TaskRow {
    return taskRow(overview, { project: this.#project.key, language, issues: this.#issues });
  }

  #take(overview: Overview): void {
    const id = idOf(overview);
    const before = this.#known.get(id);
    const isLive = "status" in overview && (overview.status === "running" || overview.status === "paused");
    if (!isLive) before?.leave?.abort();
    const { live, leave } = isLive ? (before ?? {}) : {};
    const standing = "error" in overview ? overview : this.#rowOf(overview, "en"); // only an error has words in it
    const known: Known = { standing, ...(live && { live }), ...(leave && { leave }) };
    this.#known.set(id, known);
    if (isLive && !leave) void this.#follow(id, known);
  }

  /** Until its run ends, or the task is gone. */
  async #follow(id: TaskId, known: Known): Promise<void> {
    const leave = new AbortController();
    known.leave = leave;
    const request = { follow: true, signal: leave.signal, types: LIVE_TYPES };
    try {
      for await (const envelope of eventsOf(this.#project.directory, id, request)) {
        const now = this.#known.get(id);
        if (now?.leave !== leave) return;
        now.live = liveFacts(now.live ?? {}, envelope);
        this.#note(this.#dirty, id);
      }
    } catch {
      // what keeps it from being read is in its overview
    }
    const now = this.#known.get(id);
    if (now?.leave !== leave) return;
    delete now.leave;
    delete now.live;
    this.#note(this.#stale, id);
  }
}

function idOf(overview: Overview): TaskId {
  return "task" in overview ? overview.task.task_id : overview.task_id;
}

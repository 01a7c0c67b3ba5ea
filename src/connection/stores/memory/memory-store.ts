import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { E8Error } from "../../../model/errors.ts";
import type { EventEnvelope } from "../../../model/events.ts";
import { Knowledge } from "../../../model/roles.ts";
import { Task, TaskId } from "../../../model/task.ts";
import type { OpenTask } from "../../ports/open-task.ts";
import type { EventRequest, Holder, TaskStatus, TaskStore } from "../../ports/task-store.ts";
import { fitting, USER } from "../knowledge.ts";
import { latestOf, pastOf } from "../standing.ts";
import { type MemoryHolder, MemoryTask, newHolder, type StoredTask, throughJson } from "./memory-task.ts";

const PROJECT = "/project";
const POLL_MILLISECONDS = 5;
const PATIENCE_MILLISECONDS = 15_000;

/** Keeps tasks while the process lives. Values pass through JSON and their schema, as on a disk. */
export class MemoryStore implements TaskStore {
  readonly tasks = new Map<TaskId, StoredTask>();
  readonly shared: Knowledge[] = [];
  readonly #watching = new Set<(id: TaskId) => void>();

  async create({
    configuration,
    now,
    flow = null,
    script,
    task_file,
    named,
  }: Parameters<TaskStore["create"]>[0]): Promise<TaskId> {
    const second = now.toISOString().slice(0, 19).replaceAll(":", "-");
    let task_id: TaskId;
    do {
      task_id = this.#freeId(second);
      await named?.(task_id);
    } while (this.tasks.has(task_id));
    const created_at = now.toISOString();
    const made = { version: 1, task_id, created_at, project: PROJECT, configuration, flow, script, task_file } as const;
    this.put(throughJson(Task, { ...made, intake: null, answers: [] }));
    return task_id;
  }

  #freeId(second: string): TaskId {
    let id = second;
    for (let count = 2; this.tasks.has(id); count += 1) id = `${second}-${count}`;
    return id;
  }

  /** Stores a task with the records of an earlier run. */
  put(task: Task, left: Partial<Omit<StoredTask, "task">> = {}): StoredTask {
    const nothing = { records: [], spending: [], knowledge: [], events: [], rawLog: [], notes: [], holder: undefined };
    const changed = () => this.#changed(task.task_id);
    const stored = { ...nothing, outputs: new Map(), output: "", shared: this.shared, changed, ...left, task };
    this.tasks.set(task.task_id, stored);
    changed();
    return stored;
  }

  async open(id: TaskId): Promise<OpenTask> {
    const stored = this.#find(id);
    refuseHeld(stored);
    stored.holder = newHolder(randomUUID(), "memory");
    stored.changed();
    return new MemoryTask(stored, stored.holder);
  }

  async read(id: string): Promise<Task> {
    return this.#find(id).task;
  }

  async list(): Promise<TaskId[]> {
    return [...this.tasks.keys()].sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
  }

  async overviews(ids?: readonly TaskId[]) {
    const shown = (await this.list()).filter((id) => ids?.includes(id) ?? true);
    return Promise.all(shown.map((id) => this.past(id)));
  }

  watch(changed: (id: TaskId) => void): () => void {
    this.#watching.add(changed);
    return () => void this.#watching.delete(changed);
  }

  #changed(id: TaskId): void {
    for (const changed of this.#watching) changed(id);
  }

  async past(id: string) {
    const { task, records, spending, notes, holder } = this.#find(id);
    const last = records.at(-1);
    const result = last?.type === "final_result" && !holder ? last : undefined;
    const live: TaskStatus = holder?.is_paused ? "paused" : "running";
    const status: TaskStatus = holder?.is_alive ? live : (result?.status ?? "interrupted");
    const past = pastOf([...records], [...spending]);
    const last_active = latestOf([task.created_at, past.last_active, holder?.since ?? ""]);
    return {
      task,
      location: `memory:${id}`,
      folder: `memory:${id}`,
      ...past,
      last_active,
      status,
      result,
      notes: [...notes],
      origin: "kept" as const,
    };
  }

  async holder(id: string): Promise<Holder | undefined> {
    const { holder } = this.#find(id);
    return holder?.is_alive ? { who: holder.who, since: holder.since } : undefined;
  }

  async cancel(id: string): Promise<boolean> {
    const stored = this.#find(id);
    const holder = this.#runOf(id);
    holder.cancel.abort();
    return comesTrue(() => stored.holder !== holder);
  }

  async pause(id: string): Promise<boolean> {
    const holder = this.#runOf(id);
    holder.pauseRequested(true);
    return comesTrue(() => holder.is_paused);
  }

  async unpause(id: string): Promise<boolean> {
    const holder = this.#runOf(id);
    holder.pauseRequested(false);
    return comesTrue(() => !holder.is_paused);
  }

  async tell(id: string, text: string, now: Date): Promise<void> {
    const given_at = now.toISOString();
    this.#find(id).notes.push({ note_id: `${given_at}-${randomUUID()}`, text, given_at });
    this.#changed(id);
  }

  async remove(id: string): Promise<void> {
    refuseHeld(this.#find(id));
    this.tasks.delete(id);
    this.#changed(id);
  }

  async sweep(): Promise<number> {
    return 0;
  }

  async size(id: string): Promise<number> {
    return JSON.stringify(this.#find(id)).length;
  }

  async copiedTo(persist: string): Promise<TaskId[]> {
    const copied = (id: TaskId) => {
      const { task, records } = this.#find(id);
      return task.configuration.persist === persist && records.length > 0;
    };
    return (await this.list()).filter(copied);
  }

  async *events(id: string, { follow = false, signal, after = 0, types }: EventRequest = {}) {
    const stored = this.#find(id);
    const isAsked = ({ seq, event }: EventEnvelope) => seq > after && (types?.includes(event.type) ?? true);
    for (let next = 0; ; ) {
      const isLive = follow && !signal?.aborted && stored.holder?.is_alive === true;
      for (; next < stored.events.length; next += 1) yield* stored.events.slice(next, next + 1).filter(isAsked);
      if (!isLive) return;
      await pause(POLL_MILLISECONDS);
    }
  }

  async *rawLog(id: string, { iteration }: Parameters<TaskStore["rawLog"]>[1]) {
    const { rawLog, task } = this.#find(id);
    if (rawLog.length === 0)
      throw new E8Error(task.configuration.logging.raw_log ? "raw_log_empty" : "raw_log_off", { id });
    yield* rawLog.filter((line) => iteration === undefined || line.iteration === iteration);
  }

  async knowledge(request: Parameters<TaskStore["knowledge"]>[0]): Promise<Knowledge[]> {
    const all = [...this.tasks.values()].flatMap(({ knowledge }) => knowledge);
    return fitting(request.task === undefined ? [...this.shared, ...all] : this.#find(request.task).knowledge, request);
  }

  async addKnowledge(draft: Parameters<TaskStore["addKnowledge"]>[0], now: Date): Promise<Knowledge> {
    const entry = throughJson(Knowledge, { ...draft, source_task: USER, created_at: now.toISOString() });
    this.shared.push(entry);
    return entry;
  }

  #runOf(id: string): MemoryHolder {
    const { holder } = this.#find(id);
    if (!holder?.is_alive) throw new E8Error("task_not_running", { id });
    return holder;
  }

  #find(id: string): StoredTask {
    if (!TaskId.safeParse(id).success) throw new E8Error("task_id_invalid", { id });
    const stored = this.tasks.get(id);
    if (!stored) throw new E8Error("task_not_found", { id });
    return stored;
  }
}

function refuseHeld({ task, holder }: StoredTask): void {
  if (holder?.is_alive) throw new E8Error("task_locked", { id: task.task_id, who: holder.who, since: holder.since });
}

async function comesTrue(isTrue: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MILLISECONDS && !isTrue(); waited += POLL_MILLISECONDS)
    await pause(POLL_MILLISECONDS);
  return isTrue();
}

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { E8Error } from "../../../model/errors.ts";
import type { EventEnvelope } from "../../../model/events.ts";
import { Knowledge } from "../../../model/roles.ts";
import { Task, TaskId } from "../../../model/task.ts";
import type { Holder, OpenTask, TaskStatus, TaskStore } from "../../ports/task-store.ts";
import { fitting, USER } from "../knowledge.ts";
import { pastOf } from "../standing.ts";
import { MemoryTask, type StoredTask, throughJson } from "./memory-task.ts";

const PROJECT = "/project";
const POLL_MILLISECONDS = 5;
const PATIENCE_MILLISECONDS = 15_000;

/** Keeps tasks while the process lives. Values pass through JSON and their schema, as on a disk. */
export class MemoryStore implements TaskStore {
  readonly tasks = new Map<TaskId, StoredTask>();
  readonly shared: Knowledge[] = [];

  async create({ configuration, now, flow = null, script }: Parameters<TaskStore["create"]>[0]): Promise<TaskId> {
    const second = now.toISOString().slice(0, 19).replaceAll(":", "-");
    let task_id = second;
    for (let count = 2; this.tasks.has(task_id); count += 1) task_id = `${second}-${count}`;
    const created_at = now.toISOString();
    const made = { version: 1, task_id, created_at, project: PROJECT, configuration, flow, script } as const;
    this.put(throughJson(Task, { ...made, intake: null, answers: [] }));
    return task_id;
  }

  /** Stores a task with the records of an earlier run. */
  put(task: Task, left: Partial<Omit<StoredTask, "task">> = {}): StoredTask {
    const nothing = { records: [], spending: [], knowledge: [], events: [], rawLog: [], holder: undefined };
    const stored = { ...nothing, outputs: new Map(), output: "", ...left, task };
    this.tasks.set(task.task_id, stored);
    return stored;
  }

  async open(id: TaskId): Promise<OpenTask> {
    const stored = this.#find(id);
    if (stored.holder?.is_alive)
      throw new E8Error("task_locked", { id, who: stored.holder.who, since: stored.holder.since });
    const token = randomUUID();
    const cancel = new AbortController();
    stored.holder = { token, is_alive: true, who: "memory", since: new Date().toISOString(), cancel };
    return new MemoryTask(stored, token, cancel.signal);
  }

  async read(id: string): Promise<Task> {
    return this.#find(id).task;
  }

  async list(): Promise<TaskId[]> {
    return [...this.tasks.keys()].sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
  }

  async overviews() {
    return Promise.all((await this.list()).map((id) => this.past(id)));
  }

  async past(id: string) {
    const { task, records, spending, holder } = this.#find(id);
    const last = records.at(-1);
    const result = last?.type === "final_result" && !holder ? last : undefined;
    const status: TaskStatus = holder?.is_alive ? "running" : (result?.status ?? "interrupted");
    return { task, location: `memory:${id}`, ...pastOf([...records], [...spending]), status, result };
  }

  async holder(id: string): Promise<Holder | undefined> {
    const { holder } = this.#find(id);
    return holder?.is_alive ? { who: holder.who, since: holder.since } : undefined;
  }

  async cancel(id: string): Promise<boolean> {
    const stored = this.#find(id);
    const { holder } = stored;
    if (!holder?.is_alive) throw new E8Error("task_not_running", { id });
    holder.cancel.abort();
    for (let waited = 0; waited < PATIENCE_MILLISECONDS && stored.holder === holder; waited += POLL_MILLISECONDS)
      await pause(POLL_MILLISECONDS);
    return stored.holder !== holder;
  }

  async *events(id: string, { follow = false, signal }: Parameters<TaskStore["events"]>[1] = {}) {
    const stored = this.#find(id);
    for (let next = 0; ; ) {
      const isLive = follow && !signal?.aborted && stored.holder?.is_alive === true;
      for (; next < stored.events.length; next += 1) yield stored.events[next] as EventEnvelope;
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

  #find(id: string): StoredTask {
    if (!TaskId.safeParse(id).success) throw new E8Error("task_id_invalid", { id });
    const stored = this.tasks.get(id);
    if (!stored) throw new E8Error("task_not_found", { id });
    return stored;
  }
}

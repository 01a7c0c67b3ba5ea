import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TaskId } from "../../../model/task.ts";
import { onChange } from "./on-change.ts";
import { tasksDirectory } from "./task-paths.ts";

/** Changes that the file system did not tell of are found by then. */
const LOOK_MILLISECONDS = 10_000;
/** Where it tells of none. */
const POLL_MILLISECONDS = 1_000;
/** A system has a limited number of watches; older tasks are looked at now and then. */
const MOST_WATCHED = 4_000;

/** What a task's standing rests on, but for its records. */
const NAMES = ["task.json", "lock", "paused", "notes"];

/** By directory: a watch for each task is too much to have it twice. */
const watched = new Map<string, Watching>();

/** The file store's `watch`. */
export function watchTasks(project: string, changed: (id: TaskId) => void): () => void {
  const directory = tasksDirectory(project);
  const watching = watched.get(directory) ?? new Watching(directory);
  watched.set(directory, watching);
  const listener = (id: TaskId) => changed(id); // one of its own for each call
  watching.listeners.add(listener);
  return () => {
    watching.listeners.delete(listener);
    if (watching.listeners.size > 0 || watched.get(directory) !== watching) return;
    watched.delete(directory);
    watching.stop();
  };
}

interface Watched {
  /** Changes when files of the task's directory are made or removed. */
  stamp: number;
  leave: (() => void) | undefined;
}

class Watching {
  readonly listeners = new Set<(id: TaskId) => void>();
  readonly #directory: string;
  readonly #tasks = new Map<TaskId, Watched>();
  #leave: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#look(); // nobody listens yet
    this.#plan();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#leave?.();
    for (const { leave } of this.#tasks.values()) leave?.();
  }

  #plan(): void {
    const isTold = this.#leave !== undefined;
    const look = () => {
      this.#look();
      this.#plan();
    };
    this.#timer = setTimeout(look, isTold ? LOOK_MILLISECONDS : POLL_MILLISECONDS).unref();
  }

  /** Compares the directory with what was seen of it. */
  #look(): void {
    this.#leave ??= onChange(this.#directory, undefined, () => this.#look());
    const ids = this.#present();
    const present = new Set(ids);
    for (const id of [...this.#tasks.keys()].filter((one) => !present.has(one))) this.#forget(id);
    for (const id of ids) {
      const stamp = stampOf(join(this.#directory, id));
      const known = this.#tasks.get(id);
      if (known?.stamp === stamp) continue;
      this.#tasks.set(id, { stamp, leave: known?.leave ?? this.#watch(id) });
      this.#tell(id);
    }
  }

  #tell(id: TaskId): void {
    for (const listener of this.listeners) listener(id);
  }

  #present(): TaskId[] {
    try {
      return readdirSync(this.#directory).filter((name) => TaskId.safeParse(name).success);
    } catch {
      return []; // no task was begun yet
    }
  }

  #watch(id: TaskId): (() => void) | undefined {
    if (this.#tasks.size >= MOST_WATCHED) return undefined;
    return onChange(join(this.#directory, id), NAMES, () => {
      const known = this.#tasks.get(id);
      if (known) known.stamp = stampOf(join(this.#directory, id));
      this.#tell(id);
    });
  }

  #forget(id: TaskId): void {
    this.#tasks.get(id)?.leave?.();
    this.#tasks.delete(id);
    this.#tell(id);
  }
}

function stampOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

import { E8Error } from "../model/errors.ts";
import { BacklogSource } from "./backlog-source.ts";
import { type ElsewhereProject, type ShownProject, shownProjects } from "./projects.ts";
import { TaskList } from "./task-list.ts";

/** What the dashboard knows of a project. */
export interface KnownProject extends ShownProject {
  list: TaskList;
  backlog: BacklogSource;
}

const LOOK_MILLISECONDS = 5_000;

/** The projects that the dashboard shows. In a database, others may come at any time. */
export class ProjectList {
  readonly #known = new Map<string, KnownProject>();
  readonly #listeners = new Set<(project: KnownProject) => void>();
  readonly #elsewhere: (() => Promise<readonly ElsewhereProject[]>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(directories: readonly string[], elsewhere?: () => Promise<readonly ElsewhereProject[]>) {
    this.#elsewhere = elsewhere;
    this.#take(shownProjects(directories));
  }

  /** Looks for others, now and from then on. */
  async look(): Promise<void> {
    if (!this.#elsewhere) return;
    this.#take(shownProjects([], await this.#elsewhere()));
    this.#plan();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const { list } of this.all()) list.close();
  }

  all(): readonly KnownProject[] {
    return [...this.#known.values()];
  }

  get(key: string): KnownProject {
    const found = this.#known.get(key);
    if (!found) throw new E8Error("dashboard_nothing", { path: key });
    return found;
  }

  /** Calls back with each project that comes. Returns how to stop. */
  onMore(listener: (project: KnownProject) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #plan(): void {
    // The database may be away for a while.
    this.#timer = setTimeout(() => void this.look().catch(() => this.#plan()), LOOK_MILLISECONDS).unref();
  }

  #take(projects: readonly ShownProject[]): void {
    for (const project of projects) {
      if (this.#known.has(project.key)) continue;
      const known = { ...project, list: new TaskList(project), backlog: new BacklogSource(project.directory) };
      this.#known.set(project.key, known);
      for (const listener of this.#listeners) listener(known);
    }
  }
}

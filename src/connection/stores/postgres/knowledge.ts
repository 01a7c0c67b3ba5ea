import { randomUUID } from "node:crypto";
import { Knowledge } from "../../../model/roles.ts";
import type { TaskId } from "../../../model/task.ts";
import type { KnowledgeBase } from "../../ports/open-task.ts";
import { collect, readRecords } from "../files/json-lines.ts";
import { appendShared } from "../files/shared-file.ts";
import { merged } from "../knowledge.ts";
import { among, withCounts } from "../knowledge-counts.ts";
import { mostRelevant } from "../knowledge-ranking.ts";
import { storedJson } from "../stored-json.ts";
import type { Row } from "./database.ts";
import type { FencedTask } from "./fenced.ts";

export const OF_TASK = "select doc::text from e8.knowledge where task_id = $1 order by number";
const OF_BOTH = `
  (select doc::text, true as is_own from e8.knowledge where task_id = $1 order by number) union all
  (select doc::text, false as is_own from e8.knowledge where project = $2 and task_id is null order by number)`;

export function knowledgeIn(rows: readonly Row[]): Knowledge[] {
  return rows.flatMap(({ doc }) => Knowledge.safeParse(JSON.parse(String(doc))).data ?? []);
}

/** Adds entries whose keys make it harmless to add them twice. The `project` of the first values; the task, or null for all of the project. */
export const ADD = `
  insert into e8.knowledge (key, project, task_id, doc)
  select key, $1, $2, doc::json from unnest($3::text[], $4::text[]) as given (key, doc)
  on conflict (key) do nothing`;

export function addedValues(entries: readonly Knowledge[]): [keys: string[], docs: string[]] {
  return [entries.map(() => randomUUID()), entries.map(storedJson)];
}

interface KnowledgeOptions {
  /** The project's name in the store. */
  project: string;
  /** A file of this machine, where the configuration names one. It takes the place of what the project knows. */
  file: string | undefined;
}

/** What a task has learned, beside what all tasks of the project know. */
export class PostgresKnowledge implements KnowledgeBase {
  readonly #task: FencedTask;
  readonly #options: KnowledgeOptions;
  readonly #applied: Knowledge[] = [];

  constructor(task: FencedTask, options: KnowledgeOptions) {
    this.#task = task;
    this.#options = options;
  }

  async add(entries: readonly Knowledge[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#append(this.#task.id, entries);
    if (this.#options.file !== undefined) await appendShared(this.#options.file, entries);
  }

  async relevant(text: string, size: number): Promise<Knowledge[]> {
    const { own, others } = await this.#known();
    return mostRelevant([...merged([...own, ...others]).values()], text, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#applied.push(...entries);
  }

  async flush(): Promise<void> {
    const counted = this.#applied.splice(0);
    if (counted.length === 0) return;
    const { own, others } = await this.#known();
    const updated = withCounts(counted, merged([...own, ...others]));
    const { file } = this.#options;
    await this.#append(this.#task.id, among(own, updated));
    if (file === undefined) await this.#append(null, among(others, updated));
    else await appendShared(file, among(others, updated));
  }

  async #append(of: TaskId | null, entries: readonly Knowledge[]): Promise<void> {
    if (entries.length === 0) return;
    const sql = `
      with held as (select task_id from e8.task where task_id = $1 and fence = $2 for share),
        added as (
          insert into e8.knowledge (key, project, task_id, doc)
          select key, $3, $4, doc::json from held, unnest($5::text[], $6::text[]) with ordinality as given (key, doc, place)
          order by place on conflict (key) do nothing)
      select 1 as held from held`;
    await this.#task.write(sql, [this.#options.project, of, ...addedValues(entries)]);
  }

  async #known(): Promise<{ own: Knowledge[]; others: Knowledge[] }> {
    const { file, project } = this.#options;
    if (file !== undefined) {
      const own = knowledgeIn(await this.#task.read(OF_TASK));
      return { own, others: await collect(readRecords(file, Knowledge, () => {})) };
    }
    const rows = await this.#task.read(OF_BOTH, [project]);
    const of = (isOwn: boolean) => knowledgeIn(rows.filter(({ is_own }) => is_own === isOwn));
    return { own: of(true), others: of(false) };
  }
}

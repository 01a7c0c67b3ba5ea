import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient, QueryResult } from "pg";
import type { Notice } from "../../../model/notices.ts";
import { notice } from "../../../model/notices.ts";
import type { Address } from "./address.ts";
import { loadDriver } from "./driver.ts";
import { databaseFault, isAway, isCollision, isOfPrepared } from "./faults.ts";

export type Row = Record<string, unknown>;

export type Channel = "news" | "calls";

/** The call to workers: a task waits for one. */
export const LINE = "line";

/** How long a question waits for a database that is away. */
export interface Patience {
  /** Without it, a question waits for a moment only. */
  isPatient?: boolean;
  signal?: AbortSignal | undefined;
  report?: ((notice: Notice) => void) | undefined;
}

/** A server that says nothing for so long is as good as away. */
const ANSWER_MILLISECONDS = 60_000;
const CONNECT_MILLISECONDS = 15_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;
/** For a connection that the server has closed meanwhile. */
const IMPATIENT_ATTEMPTS = 2;
/** Statements are constants of ours, but for a few that are put together. */
const MOST_PREPARED = 200;

/** A database and the schema of ours in it, which SQL calls `e8`. Connects when it is first asked, and keeps no process alive. */
export class Database {
  readonly address: Address;
  #pool: Promise<Pool> | undefined;
  /** Statements with our schema in them, and the names by which connections know them. */
  readonly #prepared = new Map<string, { name: string; text: string }>();
  #mayPrepare = true;

  constructor(address: Address) {
    this.address = address;
  }

  /** The rows that a statement gives. Statements are such that asking twice does no harm, as the answer to the first may be lost. */
  async ask(sql: string, values: readonly unknown[] = [], patience: Patience = {}): Promise<Row[]> {
    return (await this.#whileAway(() => this.#send(sql, values), patience)).rows;
  }

  /** Several statements, or none of them. */
  async inTransaction<T>(
    use: (ask: (sql: string, values?: readonly unknown[]) => Promise<Row[]>) => Promise<T>,
  ): Promise<T> {
    return this.#whileAway(async () => {
      const client = await (await this.#connected()).connect();
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const result = await use(
          async (sql, values = []) => (await client.query(this.inSchema(sql), [...values])).rows,
        );
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch((failure) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    }, {});
  }

  /** Lends a connection to another package, which begins and ends its own transactions. */
  async withConnection<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await (await this.#connected()).connect();
    try {
      return await use(client);
    } catch (error) {
      throw databaseFault(error, this.address.name);
    } finally {
      client.release(true); // its settings may have been changed
    }
  }

  inSchema(sql: string): string {
    return sql.replaceAll(/\be8\./g, `"${this.address.schema}".`);
  }

  /**
   * Notifications are the whole database's, so their names have our schema in them. `news` of tasks are for those who watch; `calls` are for
   * runs of whom somebody asks something, and for workers. So many workers are not woken by each other's events.
   */
  channel(kind: Channel): string {
    return `${kind === "news" ? "e8" : "e8c"}_${this.address.schema}`;
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.end();
  }

  /** The server plans a statement once a connection, which takes it longer than most of them. Behind some poolers it cannot. */
  async #send(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    const pool = await this.#connected();
    const prepared = values.length > 0 && this.#mayPrepare ? this.#preparedAs(sql) : undefined;
    try {
      return await pool.query({ ...(prepared ?? { text: this.inSchema(sql) }), values: [...values] });
    } catch (error) {
      if (!prepared || !isOfPrepared(error)) throw error;
      this.#mayPrepare = false;
      return pool.query(prepared.text, [...values]);
    }
  }

  #preparedAs(sql: string): { name: string; text: string } | undefined {
    const known = this.#prepared.get(sql);
    if (known || this.#prepared.size >= MOST_PREPARED) return known;
    const made = { name: `e8_${this.#prepared.size}`, text: this.inSchema(sql) };
    this.#prepared.set(sql, made);
    return made;
  }

  async #whileAway<T>(act: () => Promise<T>, patience: Patience): Promise<T> {
    let since: number | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await act();
        if (since !== undefined) patience.report?.(notice("store_back", { seconds: secondsSince(since) }));
        return result;
      } catch (error) {
        if (!isWorthAgain(error, attempt, patience)) throw databaseFault(error, this.address.name);
        if (isAway(error)) since ??= Date.now();
        await rest(attempt, patience.signal);
      }
    }
  }

  #connected(): Promise<Pool> {
    this.#pool ??= this.#connect();
    return this.#pool;
  }

  async #connect(): Promise<Pool> {
    const { Pool } = await loadDriver();
    const pool = new Pool({ ...this.settings(), max: 4, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
    pool.on("error", () => {}); // an idle connection was closed; the next question makes another
    pool.on("connect", surviving);
    return pool;
  }

  settings() {
    const { connection, tls } = this.address;
    return {
      connectionString: connection,
      ssl: tls,
      application_name: "endless8",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      query_timeout: ANSWER_MILLISECONDS,
    };
  }
}

/** A connection that is lent out and lost tells its questions so; told to nobody, the same error would end the process. */
export function surviving(client: { on(event: "error", listener: () => void): unknown }): void {
  client.on("error", () => {});
}

function isWorthAgain(error: unknown, attempt: number, { isPatient, signal }: Patience): boolean {
  if (signal?.aborted) return false;
  return isCollision(error) || (isAway(error) && (isPatient === true || attempt < IMPATIENT_ATTEMPTS));
}

async function rest(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const milliseconds = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  await pause(milliseconds, undefined, signal && { signal }).catch(() => {});
}

function secondsSince(moment: number): number {
  return Math.round((Date.now() - moment) / 1000);
}

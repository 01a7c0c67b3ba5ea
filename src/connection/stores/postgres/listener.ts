import type { Client } from "pg";
import type { Database } from "./database.ts";
import { loadDriver } from "./driver.ts";

/** Stands for every task. */
export const ANY = "";

/** After a lost connection. */
const AGAIN_MILLISECONDS = 1_000;

/**
 * Wakes those who wait for news of a task. Only a hint: who waits also looks by itself now and then, so that nothing is lost where a
 * notification is, or where a connection pooler keeps them back.
 */
export class Listener {
  readonly #database: Database;
  readonly #waiting = new Map<string, Set<(task: string) => void>>();
  #client: Client | undefined;
  #isConnecting = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Calls back at every piece of news of a task, or of any, and after every lost connection. Returns how to stop. */
  on(task: string | typeof ANY, wake: (task: string) => void): () => void {
    const waiting = this.#waiting.get(task) ?? new Set();
    this.#waiting.set(task, waiting.add(wake));
    void this.#connect();
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(task);
      if (this.#waiting.size === 0) this.#hangUp();
    };
  }

  /** Sends a statement without values at once where that is possible, and gives no answer: this process may be stopped right afterwards. */
  say(sql: string): void {
    const text = this.#database.inSchema(sql);
    const sent = this.#client ? this.#client.query(text) : this.#database.ask(sql);
    sent.then(
      () => {},
      () => {},
    );
  }

  async #connect(): Promise<void> {
    if (this.#client || this.#isConnecting) return;
    this.#isConnecting = true;
    const { Client } = await loadDriver();
    const client = new Client(this.#database.settings());
    try {
      client.on("error", () => {});
      client.on("notification", ({ payload = "" }) => this.#wake(payload));
      await client.connect();
      unref(client);
      client.once("end", () => this.#lost(client));
      await client.query(`listen "${this.#database.channel}"`);
      this.#client = client;
      if (this.#waiting.size === 0) this.#hangUp();
      else for (const task of this.#waiting.keys()) this.#wake(task); // what was said before we listened
    } catch {
      await client.end().catch(() => {});
      this.#lost(client);
    } finally {
      this.#isConnecting = false;
    }
  }

  #wake(task: string): void {
    for (const listener of [task, ANY]) for (const wake of this.#waiting.get(listener) ?? []) wake(task);
  }

  #lost(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    if (this.#waiting.size > 0) setTimeout(() => void this.#connect(), AGAIN_MILLISECONDS).unref();
  }

  #hangUp(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => {});
  }
}

/** Listening alone keeps no process alive. */
function unref(client: Client): void {
  const { connection } = client as unknown as { connection: { stream: { unref(): void } } };
  connection.stream.unref();
}

import type { Client } from "pg";
import type { Channel, Database } from "./database.ts";
import { loadDriver } from "./driver.ts";

/** Stands for every task. */
export const ANY = "";

/** After a lost connection. */
const AGAIN_MILLISECONDS = 1_000;

const CHANNELS: readonly Channel[] = ["news", "calls"];

type Wake = (task: string) => void;

/**
 * Wakes those who wait for news of a task, or for calls to a run of it. Only a hint: who waits also looks by itself now and then, so that
 * nothing is lost where a notification is, or where a connection pooler keeps them back.
 */
export class Listener {
  readonly #database: Database;
  readonly #waiting: Readonly<Record<Channel, Map<string, Set<Wake>>>> = { news: new Map(), calls: new Map() };
  #client: Client | undefined;
  /** What the client listens to, and what it is about to. */
  #heard = new Set<Channel>();
  #isConnecting = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Calls back at every notification of a task, or of any, and after every lost connection. Returns how to stop. */
  on(channel: Channel, task: string | typeof ANY, wake: Wake): () => void {
    const all = this.#waiting[channel];
    const waiting = all.get(task) ?? new Set();
    all.set(task, waiting.add(wake));
    void this.#connect();
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0) all.delete(task);
      if (this.#channels().length === 0) this.#hangUp();
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

  #channels(): Channel[] {
    return CHANNELS.filter((one) => this.#waiting[one].size > 0);
  }

  async #connect(): Promise<void> {
    if (this.#client) return void this.#listen(this.#client).catch(() => {}); // its end is told
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    const { Client } = await loadDriver();
    const client = new Client(this.#database.settings());
    try {
      client.on("error", () => {});
      client.on("notification", ({ channel, payload = "" }) => {
        const kind = CHANNELS.find((one) => this.#database.channel(one) === channel);
        if (kind) this.#wake(kind, payload);
      });
      await client.connect();
      unref(client);
      client.once("end", () => this.#lost(client));
      this.#heard = new Set();
      await this.#listen(client);
      this.#client = client;
      if (this.#channels().length === 0) this.#hangUp();
      else await this.#listen(client); // to what was asked for meanwhile
    } catch {
      await client.end().catch(() => {});
      this.#lost(client);
    } finally {
      this.#isConnecting = false;
    }
  }

  /** Wakes all of a channel when it is heard: something may have been said before. */
  async #listen(client: Client): Promise<void> {
    for (const channel of this.#channels().filter((one) => !this.#heard.has(one))) {
      this.#heard.add(channel);
      await client.query(`listen "${this.#database.channel(channel)}"`).catch((error) => {
        this.#heard.delete(channel);
        throw error;
      });
      for (const task of this.#waiting[channel].keys()) this.#wake(channel, task);
    }
  }

  #wake(channel: Channel, task: string): void {
    for (const listener of new Set([task, ANY]))
      for (const wake of this.#waiting[channel].get(listener) ?? []) wake(task);
  }

  #lost(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    if (this.#channels().length > 0) setTimeout(() => void this.#connect(), AGAIN_MILLISECONDS).unref();
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

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { HistoryRecord } from "../../src/model/records.ts";
import { type FleetBox, fleetBox, type StartedWorker } from "./fleet-box.ts";
import type { TestPostgres } from "./postgres-server.ts";
import { randomFrom } from "./seeded-kill.ts";

export interface ChaosPlan {
  seed: number;
  workers: number;
  slots: number;
  tasks: number;
  iterations: number;
  /** In seconds. */
  lease: number;
  /** How many blows there are at most; the rest is left in peace. */
  blows: number;
}

export interface ChaosReport {
  statuses: string[];
  /** The records of each task, oldest first. */
  histories: HistoryRecord[][];
  blows: Record<Blow, number>;
  /** How many tasks a worker has had at once, at most. */
  most_at_once: number;
  /** Seconds from the death of a worker until another one took its task. */
  takeovers: number[];
  /** What ended with an error, and why. */
  failures: object[];
  seconds: number;
  home: string;
}

const BLOWS = ["SIGKILL", "SIGTERM", "SIGSTOP", "restart"] as const;
type Blow = (typeof BLOWS)[number];

const BLOW_MILLISECONDS = 700;
const BLOWS_A_LOOK = 5;
/** The tasks that are not over. */
const OPEN = ["queued", "running", "paused", "interrupted"];
/** Longer than the lease: what is stopped is replaced. */
const FROZEN_LEASES = 1.5;

/** Has workers as real processes work on tasks while, every 0.7 s, one of them or the database is struck. */
export async function runChaos(server: TestPostgres, plan: ChaosPlan): Promise<ChaosReport> {
  const box = await fleetBox(server, plan.lease);
  const agent = ["--check", "false", "--agent-command", "sleep 0.1; echo worked", "-n", String(plan.iterations)];
  for (let index = 0; index < plan.tasks; index += 1) await box.submit(`task ${index}`, ...agent);
  const fleet = new ChaosFleet(box, plan);
  const began = Date.now();
  await fleet.begin();
  const blows = await fleet.strike(server);
  await fleet.finish();
  return {
    ...(await found(box)),
    ...{
      blows,
      most_at_once: fleet.mostAtOnce(),
      takeovers: fleet.takeovers(),
      failures: fleet.failures(),
      home: box.home,
    },
    seconds: (Date.now() - began) / 1000,
  };
}

class ChaosFleet {
  readonly #box: FleetBox;
  readonly #plan: ChaosPlan;
  readonly #random: () => number;
  readonly #all: (StartedWorker & { died?: number; at: number[] })[] = [];
  #slots: (StartedWorker | undefined)[] = [];
  #number = 0;
  #isOver = false;

  constructor(box: FleetBox, plan: ChaosPlan) {
    this.#box = box;
    this.#plan = plan;
    this.#random = randomFrom(plan.seed);
  }

  async begin(): Promise<void> {
    await mkdir(join(this.#box.home, "work"));
    await Promise.all(Array.from({ length: this.#plan.workers }, (_, slot) => this.#start(slot)));
  }

  /** Strikes until all is done, or often enough. */
  async strike(server: TestPostgres): Promise<Record<Blow, number>> {
    const blows = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0, restart: 0 };
    for (let count = 0; count < this.#plan.blows; count += 1) {
      await pause(BLOW_MILLISECONDS);
      if (count % BLOWS_A_LOOK === 0 && (await this.#isDone())) break;
      const blow = this.#pick([...BLOWS]);
      if (blow === "restart" && !server.isOurs) continue;
      blows[blow] += 1;
      if (blow === "restart") {
        await server.stop();
        await pause(300);
        await server.start();
      } else this.#hit(blow);
    }
    return blows;
  }

  /** In peace, until every task has its ending. */
  async finish(): Promise<void> {
    const patience = Date.now() + 300_000;
    while (Date.now() < patience && !(await this.#isDone())) await pause(500);
    this.#isOver = true;
    for (const worker of this.#slots) worker?.child.kill("SIGCONT");
    await Promise.all(this.#slots.map((worker) => worker && this.#leave(worker)));
  }

  mostAtOnce(): number {
    return Math.max(...this.#all.map(({ events }) => mostOf(events)));
  }

  takeovers(): number[] {
    const taken = this.#all.flatMap(({ events, at }) =>
      events.flatMap((event, index) =>
        event.type === "task-taken" ? [{ id: event.task_id, at: at[index] ?? 0 }] : [],
      ),
    );
    return this.#all.flatMap(({ died, events }) => {
      if (died === undefined) return [];
      const next = heldAtEnd(events).map((id) =>
        Math.min(...taken.filter((one) => one.id === id && one.at > died).map((one) => one.at)),
      );
      return next.filter(Number.isFinite).map((at) => (at - died) / 1000);
    });
  }

  failures(): object[] {
    return this.#all.flatMap(({ events }) =>
      events.flatMap((one): object[] => {
        if (one.type === "task-failed") return [one];
        if (one.type !== "run" || one.envelope.event.type !== "run-end") return [];
        const { status, error_code, error_details } = one.envelope.event.result;
        return status === "error" && error_code !== "task_taken" ? [{ status, error_code, error_details }] : [];
      }),
    );
  }

  async #start(slot: number): Promise<void> {
    this.#number += 1;
    const flags = ["--concurrency", String(this.#plan.slots), "--same-place", "--drain-time", "2"];
    const worker = Object.assign(await this.#box.worker(`w${this.#number}`, ...flags), { at: [] as number[] });
    for (const _ of worker.events) worker.at.push(Date.now());
    const push = worker.events.push.bind(worker.events);
    worker.events.push = (...given) => {
      for (const _ of given) worker.at.push(Date.now());
      return push(...given);
    };
    this.#all.push(worker);
    this.#slots[slot] = worker;
  }

  #hit(blow: Exclude<Blow, "restart">): void {
    const slot = this.#pick([...this.#slots.keys()]);
    const worker = this.#slots[slot];
    if (!worker) return; // it is being replaced
    worker.child.kill(blow);
    if (blow === "SIGSTOP") {
      setTimeout(() => worker.child.kill("SIGCONT"), this.#plan.lease * FROZEN_LEASES * 1000);
      return;
    }
    const known = this.#all.find((one) => one.child === worker.child);
    if (blow === "SIGKILL" && known) known.died = Date.now();
    this.#slots[slot] = undefined;
    void this.#replace(slot);
  }

  /** A worker that begins while the database is away says so and ends. */
  async #replace(slot: number): Promise<void> {
    while (this.#slots[slot] === undefined && !this.#isOver) {
      await this.#start(slot).catch(() => pause(BLOW_MILLISECONDS));
    }
  }

  async #leave(worker: StartedWorker): Promise<void> {
    worker.child.kill("SIGTERM");
    await worker.ended;
  }

  /** What the store says: a worker that is killed may not have told of its last task. */
  async #isDone(): Promise<boolean> {
    const statuses = await this.#box.statuses().catch(() => undefined);
    return statuses !== undefined && !Object.values(statuses).some((one) => OPEN.includes(one));
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)] as T;
  }
}

function mostOf(events: StartedWorker["events"]): number {
  let most = 0;
  events.forEach((_, index) => {
    most = Math.max(most, heldAtEnd(events.slice(0, index + 1)).length);
  });
  return most;
}

/** Tasks that the worker has taken and not put down. */
function heldAtEnd(events: StartedWorker["events"]): string[] {
  const held = new Set<string>();
  for (const event of events) {
    if (event.type === "task-taken") held.add(event.task_id);
    else if (event.type.startsWith("task-") && "task_id" in event) held.delete(event.task_id);
  }
  return [...held];
}

async function found(box: FleetBox): Promise<Pick<ChaosReport, "statuses" | "histories">> {
  const statuses = await box.statuses();
  const { stdout } = await box.e8(["query", "select task_id, type, iteration from history", "--json"]);
  const rows: (HistoryRecord & { task_id: string })[] = JSON.parse(stdout);
  const histories = Object.keys(statuses).map((id) => rows.filter(({ task_id }) => task_id === id));
  return { statuses: Object.values(statuses), histories };
}

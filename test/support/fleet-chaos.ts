import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { HistoryRecord } from "../../src/model/records.ts";
import { BLOWS, type Blow, type ChaosPlan, type ChaosReport, type Takeover } from "./chaos-plan.ts";
import { type FleetBox, fleetBox, type StartedWorker } from "./fleet-box.ts";
import type { TestPostgres } from "./postgres-server.ts";
import { randomFrom } from "./seeded-kill.ts";

const BLOW_MILLISECONDS = 700;
const BLOWS_A_LOOK = 5;
const SAMPLE_MILLISECONDS = 100;
const COUNT_MILLISECONDS = 500;
const PEACE_MILLISECONDS = 150_000;
/** The tasks that are not over. */
const OPEN = ["queued", "running", "paused", "interrupted"];
/** Longer than the lease: what is stopped is replaced. */
const FROZEN_LEASES = 1.5;

/** Has workers as real processes work on tasks while, every 0.7 s, one of them or the database is struck. */
export async function runChaos(server: TestPostgres, plan: ChaosPlan): Promise<ChaosReport> {
  const box = await fleetBox(server, plan.lease);
  await box.write("endless.yaml", taskFile(plan));
  for (let index = 0; index < plan.tasks; index += 1) await box.submit("endless.yaml");
  const limited = await box.e8(["fleet", "limit", "project", "fleet", "--at-once", String(plan.limit)]);
  if (limited.code !== 0) throw new Error(limited.stderr);
  const fleet = new ChaosFleet(box, plan, server);
  const began = Date.now();
  await fleet.begin();
  const blows = await fleet.strike(server);
  await fleet.finish();
  return {
    ...(await found(box)),
    ...{
      blows,
      most_at_once: fleet.mostAtOnce(),
      most_held: fleet.mostHeld,
      takeovers: fleet.takeovers(),
      failures: fleet.failures(),
      crashes: fleet.crashes,
      home: box.home,
    },
    seconds: (Date.now() - began) / 1000,
  };
}

/** Nothing that a worker does moves the task on, and none gives up. */
function taskFile({ iterations }: ChaosPlan): string {
  return `task: go on
agent: {command: "sleep 0.1; echo worked"}
criteria: [{type: command, command: "false"}]
max_iterations: ${iterations}
stall_limit: null
`;
}

class ChaosFleet {
  readonly #box: FleetBox;
  readonly #plan: ChaosPlan;
  readonly #random: () => number;
  readonly #all: ChaosWorker[] = [];
  readonly crashes: string[] = [];
  readonly #samples: { at: number; hasRoom: boolean }[] = [];
  readonly #sampling: NodeJS.Timeout;
  readonly #counting: NodeJS.Timeout;
  readonly #server: TestPostgres;
  mostHeld = 0;
  readonly #replacing = new Set<Promise<void>>();
  #slots: (ChaosWorker | undefined)[] = [];
  #number = 0;
  #isOver = false;
  #isStoreAway = false;

  constructor(box: FleetBox, plan: ChaosPlan, server: TestPostgres) {
    this.#box = box;
    this.#plan = plan;
    this.#server = server;
    this.#random = randomFrom(plan.seed);
    this.#sampling = setInterval(() => this.#sample(), SAMPLE_MILLISECONDS);
    this.#counting = setInterval(() => void this.#count().catch(() => {}), COUNT_MILLISECONDS); // it may be away
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
      if (blow === "restart") await this.#restart(server);
      else this.#hit(blow);
    }
    return blows;
  }

  /** In peace, until every task has its ending. */
  async finish(): Promise<void> {
    const patience = Date.now() + PEACE_MILLISECONDS;
    while (Date.now() < patience && !(await this.#isDone())) await pause(500);
    this.#isOver = true;
    await Promise.all(this.#replacing);
    await Promise.all(this.#all.map((worker) => this.#leave(worker)));
    clearInterval(this.#sampling);
    clearInterval(this.#counting);
  }

  mostAtOnce(): number {
    return Math.max(...this.#all.map(({ most }) => most));
  }

  takeovers(): Takeover[] {
    return this.#all.flatMap(({ died, held }) => {
      if (died === undefined) return [];
      const since = (moments: readonly Moment[], id: string) =>
        moments.filter((one) => one.id === id && one.at > died).map(({ at }) => at);
      return [...held].flatMap((id) => {
        const at = Math.min(...this.#all.flatMap(({ taken }) => since(taken, id)));
        if (!Number.isFinite(at)) return [];
        const on = Math.min(...this.#all.flatMap(({ begun }) => since(begun, id)));
        const goes_on = Number.isFinite(on) ? (on - died) / 1000 : undefined;
        return [{ seconds: (at - died) / 1000, goes_on, with_room: this.#roomIn(died, at) }];
      });
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
    const started = await this.#box.worker(`w${this.#number}`, ...flags);
    const worker: ChaosWorker = Object.assign(started, { held: new Set<string>(), taken: [], begun: [], most: 0 });
    for (const event of worker.events) note(worker, event);
    const push = worker.events.push.bind(worker.events);
    worker.events.push = (...given) => {
      for (const event of given) note(worker, event);
      return push(...given);
    };
    this.#all.push(worker);
    this.#slots[slot] = worker;
    void worker.ended.then(({ code, stderr }) => this.#ended(worker, `${code}: ${stderr}`));
  }

  /** One that ends by itself is replaced, too, so that those who wait for the end do not wait in vain. */
  #ended(worker: ChaosWorker, said: string): void {
    const slot = this.#slots.indexOf(worker);
    if (slot < 0 || this.#isOver) return;
    this.crashes.push(said);
    this.#replace(slot);
  }

  async #restart(server: TestPostgres): Promise<void> {
    this.#isStoreAway = true;
    await server.stop();
    await pause(300);
    await server.start();
    this.#isStoreAway = false;
  }

  #hit(blow: Exclude<Blow, "restart">): void {
    const slot = this.#pick([...this.#slots.keys()]);
    const worker = this.#slots[slot];
    if (!worker) return; // it is being replaced
    if (blow === "SIGSTOP") {
      this.#freeze(worker);
      return;
    }
    if (blow === "SIGKILL") worker.died = Date.now();
    this.#replace(slot);
    worker.child.kill(blow);
  }

  #freeze(worker: ChaosWorker): void {
    worker.child.kill("SIGSTOP");
    worker.thaws = Date.now() + this.#plan.lease * FROZEN_LEASES * 1000;
    setTimeout(() => worker.child.kill("SIGCONT"), this.#plan.lease * FROZEN_LEASES * 1000);
  }

  #replace(slot: number): void {
    this.#slots[slot] = undefined;
    const replacing = this.#fill(slot).finally(() => this.#replacing.delete(replacing));
    this.#replacing.add(replacing);
  }

  /** A worker that begins while the database is away says so and ends. */
  async #fill(slot: number): Promise<void> {
    while (this.#slots[slot] === undefined && !this.#isOver) {
      await this.#start(slot).catch(() => pause(BLOW_MILLISECONDS));
    }
  }

  /** A signal to a process that is gone does nothing. */
  async #leave({ child, ended }: ChaosWorker): Promise<void> {
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await ended;
  }

  /** What the store says: a worker that is killed may not have told of its last task. */
  async #isDone(): Promise<boolean> {
    const statuses = await this.#box.statuses().catch(() => undefined);
    return statuses !== undefined && !Object.values(statuses).some((one) => OPEN.includes(one));
  }

  #sample(): void {
    const at = Date.now();
    const takes = this.#slots.some((one) => one && at > (one.thaws ?? 0) && one.held.size < this.#plan.slots);
    this.#samples.push({ at, hasRoom: takes && !this.#isStoreAway });
  }

  async #count(): Promise<void> {
    const schema = new URL(this.#box.url).searchParams.get("schema");
    const sql = `select count(*)::integer as held from "${schema}".task where fence is not null and lease_until > clock_timestamp()`;
    const [row] = await this.#server.ask(sql);
    this.mostHeld = Math.max(this.mostHeld, Number(row?.held));
  }

  #roomIn(from: number, until: number): number {
    let [run, longest] = [0, 0];
    for (const { at, hasRoom } of this.#samples) {
      if (at < from || at > until) continue;
      run = hasRoom ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return (longest * SAMPLE_MILLISECONDS) / 1000;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)] as T;
  }
}

interface Moment {
  id: string;
  at: number;
}

interface ChaosWorker extends StartedWorker {
  /** When it was killed. */
  died?: number;
  /** When it is to go on after it was stopped. */
  thaws?: number;
  /** Tasks that it has taken and not put down. */
  held: Set<string>;
  taken: Moment[];
  /** The runs that began or went on. */
  begun: Moment[];
  /** How many it has held at once. */
  most: number;
}

function note(worker: ChaosWorker, event: StartedWorker["events"][number]): void {
  if (event.type === "task-taken") {
    worker.held.add(event.task_id);
    worker.taken.push({ id: event.task_id, at: Date.now() });
    worker.most = Math.max(worker.most, worker.held.size);
  } else if (event.type === "run") {
    if (event.envelope.event.type === "run-start") worker.begun.push({ id: event.task_id, at: Date.now() });
  } else if (event.type.startsWith("task-") && "task_id" in event) worker.held.delete(event.task_id);
}

async function found(box: FleetBox): Promise<Pick<ChaosReport, "statuses" | "histories">> {
  const statuses = await box.statuses();
  const { stdout } = await box.e8(["query", "select task_id, type, iteration from history", "--json"]);
  const rows: (HistoryRecord & { task_id: string })[] = JSON.parse(stdout);
  const histories = Object.keys(statuses).map((id) => rows.filter(({ task_id }) => task_id === id));
  return { statuses: Object.values(statuses), histories };
}

import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { WorkerEvent } from "../../src/model/fleet.ts";
import { inProcess } from "./in-process.ts";
import type { TestPostgres } from "./postgres-server.ts";
import { type Ended, type Sandbox, type Started, sandbox } from "./sandbox.ts";

/** A worker as a process of its own, with the directory it works in and what it has told. */
export interface StartedWorker extends Started {
  directory: string;
  events: WorkerEvent[];
}

/** A store for a fleet, a place to give tasks from, and workers with places of their own. */
export interface FleetBox extends Sandbox {
  url: string;
  worker(name: string, ...flags: string[]): Promise<StartedWorker>;
  submit(...words: string[]): Promise<string>;
  /** The status of every task, by its id. */
  statuses(): Promise<Record<string, string>>;
}

/** `lease`: in seconds. */
export async function fleetBox(postgres: TestPostgres, lease = 5, given?: Sandbox): Promise<FleetBox> {
  const url = postgres.schema({ project: "fleet", lease: String(lease) });
  const whole = given ?? (await sandbox());
  const box = inProcess({ ...whole, env: { ...whole.env, ENDLESS8_STORE: url } });
  const initialized = await box.e8(["fleet", "init", url]);
  if (initialized.code !== 0) throw new Error(initialized.stderr);
  return {
    ...box,
    url,
    worker: async (name, ...flags) => {
      const directory = join(box.home, name);
      await mkdir(directory, { recursive: true });
      const words = ["worker", "--name", name, "--json-events", ...flags];
      const started = whole.start(words, { cwd: directory, env: box.env });
      const events: WorkerEvent[] = [];
      const lines = createInterface({ input: started.child.stdout ?? process.stdin });
      lines.on("line", (line) => events.push(JSON.parse(line)));
      await Promise.race([once(lines, "line"), failed(started.ended)]);
      return { ...started, directory, events };
    },
    submit: async (...words) => {
      const said = await box.e8(["submit", ...words, "--json"]);
      if (said.code !== 0) throw new Error(said.stderr);
      return JSON.parse(said.stdout).task_id;
    },
    statuses: async () => {
      const { stdout } = await box.e8(["list", "--json"]);
      const tasks: { task_id: string; status: string }[] = JSON.parse(stdout);
      return Object.fromEntries(tasks.map(({ task_id, status }) => [task_id, status]));
    },
  };
}

async function failed(ended: Promise<Ended>): Promise<never> {
  const { code, stderr } = await ended;
  throw new Error(`the worker ended with ${code}: ${stderr}`);
}

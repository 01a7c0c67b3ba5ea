import type { PostponedTask } from "../../../model/fleet.ts";
import type { Database, Row } from "./database.ts";
import { IS_HELD, IS_OPEN } from "./lease.ts";
import { requireSchema } from "./migrate.ts";
import { type KnownWorker, knownWorkers } from "./workers.ts";

/** The tasks of one project, by how far they have come. */
export interface ProjectStanding {
  project: string;
  tasks: number;
  running: number;
  /** Waiting for a worker. */
  queued: number;
  /** When the task was given that waits longest. */
  oldest: string | null;
  /** Held by a run that has shown no life for longer than its lease. */
  lapsed: number;
  completed: number;
  /** Spent since the day began, in UTC. */
  cost_today: number;
}

/** A task that a run holds, or held when its lease lapsed. */
export interface HeldTask {
  task_id: string;
  project: string;
  host: string;
  pid: number;
  since: string;
  /** Seconds until the lease lapses; negative once it has. */
  lease_left: number;
  is_paused: boolean;
}

export interface FleetStanding {
  store: string;
  bytes: number;
  projects: ProjectStanding[];
  held: HeldTask[];
  /** Tasks in line that workers have put off, such as for a limit of the fleet. */
  postponed: PostponedTask[];
  workers: KnownWorker[];
}

const WAITS = `${IS_OPEN} and not ${IS_HELD}`;

const PROJECTS = `
  select project, count(*)::integer as tasks,
    count(*) filter (where ${IS_HELD})::integer as running,
    count(*) filter (where ${WAITS})::integer as queued,
    min(submitted_at) filter (where ${WAITS}) as oldest,
    count(*) filter (where fence is not null and not ${IS_HELD})::integer as lapsed,
    count(*) filter (where ending_seq = records and ending ->> 'status' = 'completed')::integer as completed
  from e8.task left join e8.submission using (task_id) group by project order by project`;

/** Only tasks that were active today are looked into. */
const COSTS = `
  select project, sum((spending.doc ->> 'cost_usd')::double precision) as cost
  from e8.task join e8.spending using (task_id)
  where last_active >= $1 and spending.doc ->> 'timestamp' >= $1 group by project`;

const HELD = `
  select task_id, project, holder ->> 'host' as host, (holder ->> 'pid')::integer as pid, held_since,
    extract(epoch from lease_until - clock_timestamp())::double precision as lease_left, coalesce(paused_for = fence, false) as is_paused
  from e8.task where fence is not null order by held_since`;

const BYTES =
  "select coalesce(sum(pg_total_relation_size(oid)), 0)::double precision as bytes from pg_class where relnamespace = $1::regnamespace and relkind = 'r'";

/** What a fleet's database holds and who works now, over all projects. */
export async function fleetStanding(database: Database, now: Date): Promise<FleetStanding> {
  await requireSchema(database);
  const [projects, costs, held, [size], workers] = await Promise.all([
    database.ask(PROJECTS),
    database.ask(COSTS, [now.toISOString().slice(0, 10)]),
    database.ask(HELD),
    database.ask(BYTES, [`"${database.address.schema}"`]),
    knownWorkers(database),
  ]);
  const spent = new Map(costs.map(({ project, cost }) => [String(project), Number(cost)]));
  return {
    store: database.address.name,
    bytes: Number(size?.bytes ?? 0),
    projects: projects.map((row) => standingIn(row, spent)),
    held: held.map(heldIn),
    postponed: postponedIn(workers, new Set(held.map(({ task_id }) => String(task_id)))),
    workers,
  };
}

/** Each once, as the worker sees it that looks at it last. What a run holds meanwhile is not put off. */
function postponedIn(workers: readonly KnownWorker[], held: ReadonlySet<string>): PostponedTask[] {
  const all = workers.flatMap(({ postponed }) => postponed).sort((left, right) => left.again_at - right.again_at);
  const latest = new Map(all.map((one) => [one.task_id, one]));
  return [...latest.values()].filter(({ task_id }) => !held.has(task_id));
}

/** Of all projects that have tasks. */
export async function projectNames(database: Database): Promise<string[]> {
  await requireSchema(database);
  const rows = await database.ask("select distinct project from e8.task order by project");
  return rows.map(({ project }) => String(project));
}

function standingIn(
  { project, tasks, running, queued, oldest, lapsed, completed }: Row,
  spent: ReadonlyMap<string, number>,
): ProjectStanding {
  const counts = {
    tasks: Number(tasks),
    running: Number(running),
    queued: Number(queued),
    oldest: oldest === null ? null : String(oldest),
    lapsed: Number(lapsed),
    completed: Number(completed),
  };
  return { project: String(project), ...counts, cost_today: spent.get(String(project)) ?? 0 };
}

function heldIn({ task_id, project, host, pid, held_since, lease_left, is_paused }: Row): HeldTask {
  const who = { host: String(host), pid: Number(pid), since: String(held_since) };
  const lease = { lease_left: Math.round(Number(lease_left)), is_paused: is_paused === true };
  return { task_id: String(task_id), project: String(project), ...who, ...lease };
}

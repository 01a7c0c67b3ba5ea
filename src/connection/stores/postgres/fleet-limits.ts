import { z } from "zod";
import type { Database } from "./database.ts";
import { requireSchema } from "./migrate.ts";

export const LimitKind = z.enum(["repository", "label", "account", "project"]);
export type LimitKind = z.infer<typeof LimitKind>;

/** What the owner of a store has set for a repository, a label, an account or a project. */
export interface FleetLimit {
  kind: LimitKind;
  name: string;
  /** The most tasks at the same time; of an account, the most agents. */
  at_once: number | null;
  /** US dollars of a project, by the day (UTC) and in all. */
  per_day: number | null;
  in_all: number | null;
  /** What is set aside for each answer of an agent until its cost is known. */
  reserve: number | null;
}

/** A limit, and how much of it is used now. */
export interface LimitStanding extends FleetLimit {
  busy: number;
  today: number;
  ever: number;
}

/** An account that has met its vendor's limit. */
export interface ClosedAccount {
  account: string;
  until: string;
}

const SET = `
  insert into e8.fleet_limit (kind, name, at_once, per_day, in_all, reserve) values ($1, $2, $3, $4, $5, $6)
  on conflict (kind, name) do update set at_once = coalesce(excluded.at_once, fleet_limit.at_once),
    per_day = coalesce(excluded.per_day, fleet_limit.per_day), in_all = coalesce(excluded.in_all, fleet_limit.in_all),
    reserve = coalesce(excluded.reserve, fleet_limit.reserve)`;

/** Sets what is given, and leaves the rest as it was. */
export async function setLimit(database: Database, limit: FleetLimit): Promise<void> {
  await requireSchema(database);
  const { kind, name, at_once, per_day, in_all, reserve } = limit;
  await database.ask(SET, [kind, name, at_once, per_day, in_all, reserve]);
}

/** Returns whether there was one. */
export async function removeLimit(database: Database, kind: LimitKind, name: string): Promise<boolean> {
  await requireSchema(database);
  const sql = "delete from e8.fleet_limit where kind = $1 and name = $2 returning 1 as removed";
  return (await database.ask(sql, [kind, name])).length > 0;
}

const LIVE = "task.fence is not null and task.lease_until > clock_timestamp()";
const TODAY = "to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD')";
const LIMITS = `
  select one.*, case one.kind
      when 'repository' then (select count(*) from e8.task where ${LIVE} and doc #>> '{repository,url}' = one.name)
      when 'project' then (select count(*) from e8.task where ${LIVE} and project = one.name)
      when 'label' then (select count(*) from e8.task join e8.submission using (task_id) where ${LIVE} and one.name = any(labels))
      else (select count(*) from e8.pass join e8.task using (task_id, fence) where ${LIVE} and account = one.name and not is_over)
    end::integer as busy,
    coalesce((select sum(cost) from e8.spent where one.kind = 'project' and project = one.name and day = ${TODAY}), 0) as today,
    coalesce((select sum(cost) from e8.spent where one.kind = 'project' and project = one.name), 0) as ever
  from e8.fleet_limit one order by kind, name`;
const CLOSED =
  "select account, to_char(until at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as until from e8.door where until > clock_timestamp() order by until";

export async function limitsOf(database: Database): Promise<{ limits: LimitStanding[]; closed: ClosedAccount[] }> {
  await requireSchema(database);
  const [limits, closed] = await Promise.all([database.ask(LIMITS), database.ask(CLOSED)]);
  const number = (value: unknown) => (value === null ? null : Number(value));
  return {
    limits: limits.map((row) => ({
      ...{ kind: LimitKind.parse(row.kind), name: String(row.name) },
      ...{ at_once: number(row.at_once), per_day: number(row.per_day), in_all: number(row.in_all) },
      ...{ reserve: number(row.reserve), busy: Number(row.busy), today: Number(row.today), ever: Number(row.ever) },
    })),
    closed: closed.map(({ account, until }) => ({ account: String(account), until: String(until) })),
  };
}

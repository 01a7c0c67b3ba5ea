import { GUARDED, KEPT_PLACES, LIMITS, LIMITS_RIGHTS } from "./limits-schema.ts";

/** One step of the schema. Each is applied once, in the order of the numbers; a released one never changes. */
interface Migration {
  number: number;
  name: string;
  /** `e8.` stands for the schema, `e8_role_` for the beginning of the roles' names. */
  sql: string;
}

/**
 * Everything stored is text as a file would have it (`json` keeps it to the byte), beside the few columns that questions need. Times are
 * ISO 8601 in UTC and compared as text; only a lease is the database's own time.
 */
const TABLES = `
create table e8.task (
  task_id text primary key,
  second text not null,
  number integer not null,
  project text not null,
  created_at text not null,
  doc json not null,
  heading json not null,
  persist text,
  records integer not null default 0,
  spendings integer not null default 0,
  iterations integer not null default 0,
  criteria_met integer not null default 0,
  ending json,
  ending_seq integer not null default 0,
  last_active text collate "C" not null,
  spent_in_all double precision[] not null default '{0,0,0}',
  spent_since double precision[] not null default '{0,0,0}',
  fence text,
  lease_until timestamptz,
  held_since text,
  holder json,
  held_from integer not null default 0,
  cancel_for text,
  pause_for text,
  paused_for text,
  unique (second, number)
);
create index task_by_age on e8.task (project, second, number);
create index task_held on e8.task (project) where fence is not null;
create table e8.record (
  task_id text not null references e8.task on delete cascade,
  seq integer not null,
  type text not null,
  at text not null,
  doc json not null,
  primary key (task_id, seq)
);
create table e8.spending (
  task_id text not null references e8.task on delete cascade,
  seq integer not null,
  doc json not null,
  primary key (task_id, seq)
);
create table e8.event (
  task_id text not null references e8.task on delete cascade,
  seq integer not null,
  doc json not null,
  primary key (task_id, seq)
);
create table e8.knowledge (
  number bigserial primary key,
  key text not null unique,
  project text not null,
  task_id text references e8.task on delete cascade,
  doc json not null
);
create index knowledge_of_task on e8.knowledge (task_id, number);
create index knowledge_of_project on e8.knowledge (project, number);
create table e8.output (
  task_id text not null references e8.task on delete cascade,
  iteration integer not null,
  doc text not null,
  primary key (task_id, iteration)
);
create table e8.note (
  task_id text not null references e8.task on delete cascade,
  note_id text collate "C" not null,
  doc json not null,
  primary key (task_id, note_id)
);
create table e8.raw_line (
  number bigserial primary key,
  task_id text not null references e8.task on delete cascade,
  iteration integer not null,
  role text not null,
  line text not null
);
create index raw_line_of_task on e8.raw_line (task_id, iteration, number);
`;

/**
 * A submission is a task that any worker may take; it is over once the task has an ending after `since`. The line itself is BullMQ's, in a
 * schema beside ours; `queue` says which of its queues there are.
 */
const FLEET = `
create table e8.submission (
  task_id text primary key references e8.task on delete cascade,
  labels text[] not null,
  priority text not null,
  rank integer not null,
  submitted_at text not null,
  since integer not null default 0,
  cancelled_at text
);
create table e8.queue (
  name text primary key,
  project text not null,
  labels text[] not null
);
create table e8.lane (
  name text not null,
  task_id text not null references e8.task on delete cascade,
  rank integer not null,
  since text not null,
  wants boolean not null,
  seen_until timestamptz not null,
  holds_until timestamptz,
  primary key (name, task_id)
);
create table e8.worker (
  worker_id text primary key,
  doc json not null,
  seen_at timestamptz not null
);
`;

/** What a run has known after so many records of a task (`bookmarks.ts`), and how many events and bytes of events there were then; how often a task was taken. */
const BOOKMARKS = `
create table e8.bookmark (
  task_id text primary key references e8.task on delete cascade,
  records integer not null,
  made_by text not null,
  doc json not null,
  events integer not null,
  bytes bigint not null
);
alter table e8.task add column runs integer not null default 0;
create index knowledge_of_all on e8.knowledge (project, number) where task_id is null;
`;

/** Texts with a NUL, whole, beside what PostgreSQL's texts can hold of them (`exact-text.ts`). */
const EXACT = `
alter table e8.output add column exact bytea;
alter table e8.raw_line add column exact bytea;
`;

/**
 * A submitter gives tasks and asks runs to stop or to stand still, a worker takes tasks and writes their records, a reader only reads.
 * None of them owns anything, so none can change the schema or the rights. A login gets its rights with `grant endless8_worker to …`.
 */
const ROLES = `
do $$
declare
  role text;
begin
  foreach role in array array['e8_role_reader', 'e8_role_submitter', 'e8_role_worker'] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I nologin', role);
    end if;
    execute format('grant usage on schema %I to %I', 'e8_schema', role);
    execute format('grant select on all tables in schema %I to %I', 'e8_schema', role);
  end loop;
  grant insert (task_id, second, number, project, created_at, doc, heading, persist, last_active) on e8.task
    to e8_role_submitter;
  grant delete, update (cancel_for, pause_for) on e8.task to e8_role_submitter;
  grant insert on e8.note, e8.knowledge, e8.queue to e8_role_submitter;
  grant insert, update on e8.submission to e8_role_submitter;
  grant insert, update, delete on e8.worker, e8.lane to e8_role_worker;
  grant update on e8.task to e8_role_worker;
  grant insert on e8.record, e8.spending, e8.event, e8.knowledge, e8.raw_line to e8_role_worker;
  grant insert, update on e8.output, e8.bookmark to e8_role_worker;
  grant delete on e8.note to e8_role_worker;
  ${LIMITS_RIGHTS.trim()}
  execute format('grant usage on all sequences in schema %I to e8_role_submitter, e8_role_worker', 'e8_schema');
exception when insufficient_privilege or unique_violation or duplicate_object then
  raise notice 'endless8: the roles could not be made: %', sqlerrm;
end
$$;
`;

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "tables", sql: TABLES },
  { number: 2, name: "fleet", sql: FLEET },
  { number: 3, name: "limits", sql: LIMITS },
  { number: 4, name: "bookmarks", sql: BOOKMARKS },
  { number: 5, name: "limits of lapsed leases", sql: GUARDED },
  { number: 6, name: "texts to the byte", sql: EXACT },
  { number: 7, name: "places of dead workers' tasks", sql: KEPT_PLACES },
];

/** Applied by every `e8 fleet init`: whoever could not make roles before may now. */
export const RIGHTS = ROLES;

export const LATEST = MIGRATIONS.at(-1)?.number ?? 0;

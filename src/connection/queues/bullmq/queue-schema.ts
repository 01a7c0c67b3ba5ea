import type { QueuePlace } from "../../ports/task-queue.ts";
import type { Database } from "../../stores/postgres/database.ts";
import { loadQueuePackage } from "./load.ts";

/** The schema of BullMQ's own tables, beside ours. */
export function queueSchema({ address }: Pick<Database, "address">): string {
  return `${address.schema}_queue`;
}

/** BullMQ's names have no colon. */
export function queueName({ project, labels }: Omit<QueuePlace, "rank">): string {
  return `${project.replaceAll(":", "_")} [${labels.join(",").replaceAll(":", "_")}]`;
}

/** Workers look for tasks in the queues that are known: its name, its project and its labels. */
export const REGISTER = `
  insert into e8.queue (name, project, labels) values ($1, $2, $3) on conflict do nothing`;

/** Makes BullMQ's tables or brings them up to date, and lets submitters and workers use them. Run again, it changes nothing. */
export async function migrateQueue(database: Database): Promise<void> {
  const { runMigrations } = await loadQueuePackage();
  const schema = queueSchema(database);
  await database.withConnection((client) => runMigrations(client, schema));
  const roles = `${database.address.schema}_`;
  await database.ask(RIGHTS.replaceAll("queue_schema", schema).replaceAll("role_", roles));
}

/** BullMQ's functions run with the rights of their caller. */
const RIGHTS = `
do $$
declare
  role text;
begin
  foreach role in array array['role_reader', 'role_submitter', 'role_worker'] loop
    if exists (select from pg_roles where rolname = role) then
      execute format('grant usage on schema %I to %I', 'queue_schema', role);
      execute format('grant select on all tables in schema %I to %I', 'queue_schema', role);
      if role <> 'role_reader' then
        execute format('grant insert, update, delete on all tables in schema %I to %I', 'queue_schema', role);
        execute format('grant usage on all sequences in schema %I to %I', 'queue_schema', role);
      end if;
    end if;
  end loop;
end
$$;
`;

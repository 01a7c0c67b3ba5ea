import { E8Error } from "../../../model/errors.ts";
import type { Database, Row } from "./database.ts";
import { LATEST, MIGRATIONS, RIGHTS } from "./migrations.ts";

/** What `e8 fleet init` has done. */
export interface Migrated {
  store: string;
  schema: string;
  /** The number of the schema before, 0 for a new one, and now. */
  before: number;
  now: number;
  /** The roles that there are now; fewer where the user may not make roles. */
  roles: string[];
}

const KINDS = ["reader", "submitter", "worker"];

/** Brings the schema to the latest number. Run again, or by several at once, it changes nothing. */
export async function migrate(database: Database): Promise<Migrated> {
  const { schema, name } = database.address;
  return database.inTransaction(async (ask) => {
    await ask("select pg_advisory_xact_lock(hashtext('endless8 ' || $1))", [schema]);
    const [found] = await ask("select 1 from pg_namespace where nspname = $1", [schema]);
    if (!found) await ask(`create schema "${schema}"`);
    await ask(
      "create table if not exists e8.migration (number integer primary key, name text not null, at timestamptz not null default now())",
    );
    const before = numberIn(await ask(NUMBER));
    if (before > LATEST) throw new E8Error("store_newer", { store: name, made: before, known: LATEST });
    for (const { number, name: title, sql } of MIGRATIONS.filter((one) => one.number > before)) {
      await ask(sql.replaceAll("e8_schema ", `${schema} `));
      await ask("insert into e8.migration (number, name) values ($1, $2)", [number, title]);
    }
    await ask(RIGHTS.replaceAll("e8_role_", `${schema}_`).replaceAll("e8_schema", schema));
    const names = KINDS.map((kind) => `${schema}_${kind}`);
    const roles = await ask("select rolname from pg_roles where rolname = any($1) order by rolname", [names]);
    return { store: name, schema, before, now: LATEST, roles: roles.map(({ rolname }) => String(rolname)) };
  });
}

const NUMBER = "select coalesce(max(number), 0) as number from e8.migration";

/** Throws where the schema is missing, or made by another version. */
export async function requireSchema(database: Database): Promise<void> {
  const store = database.address.name;
  const made = numberIn(await database.ask(NUMBER));
  if (made < LATEST) throw new E8Error("store_older", { store, made, known: LATEST });
  if (made > LATEST) throw new E8Error("store_newer", { store, made, known: LATEST });
}

function numberIn([row]: readonly Row[]): number {
  return Number(row?.number ?? 0);
}

import type { ErrorTexts, NoticeTexts } from "../message-texts.ts";

type ErrorCodes =
  | "store_url_invalid"
  | "store_secret_in_file"
  | "store_driver_missing"
  | "store_not_made"
  | "store_older"
  | "store_newer"
  | "store_unreachable"
  | "store_refused"
  | "store_forbidden"
  | "store_failed"
  | "store_missing"
  | "clocks_differ"
  | "task_exists";

const INIT = "e8 fleet init <URL>";

/** About a store that is a database. */
export const enDatabaseErrors: Pick<ErrorTexts, ErrorCodes> = {
  store_url_invalid: (d, tell) => [
    `The URL of the store cannot be used: ${tell(d.problem)}.`,
    "Write it as postgres://user@host:5432/database; the password comes from PGPASSWORD or ~/.pgpass.",
  ],
  store_secret_in_file: (d) => [
    `store: in ${d.file} holds a password, which the workers of this project could read.`,
    "Take it out, and give it with PGPASSWORD, ~/.pgpass or ENDLESS8_STORE. If the file was ever committed, change the password.",
  ],
  store_driver_missing: [
    "A store in PostgreSQL needs the package pg, which is not installed with endless8.",
    "Install it beside endless8: npm install -g pg (or npm install pg, where endless8 is a dependency of the project).",
  ],
  store_not_made: (d) => [
    `${d.store} has no store of endless8 yet, or this user may not see it.`,
    `Make it once, as the owner of the database: ${INIT}`,
  ],
  store_older: (d) => [
    `The schema of ${d.store} has number ${d.made}; this version of endless8 needs ${d.known}.`,
    `Bring it up to date, as the owner of the database: ${INIT}`,
  ],
  store_newer: (d) => [
    `The schema of ${d.store} has number ${d.made}, made by a later version of endless8; this one knows ${d.known}.`,
    "Update endless8 here.",
  ],
  store_unreachable: (d) => [
    `${d.store} cannot be reached: ${d.problem}.`,
    "Check that the database runs there and that this machine may connect. To a database on another machine, the connection is encrypted unless the URL says sslmode=disable.",
  ],
  store_refused: (d) => [
    `${d.store} does not let you in: ${d.problem}.`,
    "Check user, password (PGPASSWORD or ~/.pgpass) and database.",
  ],
  store_forbidden: (d) => [
    `${d.store} does not permit that: ${d.problem}.`,
    "Ask the owner of the database for the role that it takes: …_reader, …_submitter or …_worker.",
  ],
  store_failed: (d) => [
    `${d.store} gave an error: ${d.problem}.`,
    "Nothing recorded so far is lost. If this happens again, please report it.",
  ],
  store_missing: (d) => [
    `${d.command} needs a store in a database, and none is named.`,
    "Name it with --store, ENDLESS8_STORE, or store: in endless8.yaml.",
  ],
  clocks_differ: (d) => [
    `The clocks of this machine and of ${d.store} are ${d.seconds} s apart; at most ${d.limit} s are tolerated.`,
    "Set the clocks (NTP), then try again.",
  ],
  task_exists: (d) => [
    `Task ${d.id} is in ${d.place} already; nothing was changed there.`,
    "A task with this id may be another one: compare both with `e8 show`, and remove the one that is no longer needed.",
  ],
};

export const enDatabaseNotices: Pick<NoticeTexts, "store_back"> = {
  store_back: (d) => `The database was away for ${d.seconds} s. The run waited; nothing is lost.`,
};

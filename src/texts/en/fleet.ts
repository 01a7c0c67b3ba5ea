import { counted } from "../message-texts.ts";

/** What is said about a store that several machines share. */
export const enFleet = {
  fleet: {
    made: (store: string, number: number) => `${store} is ready (schema ${number}).`,
    brought: (store: string, before: number, number: number) => `${store}: schema ${before} → ${number}.`,
    asItWas: (store: string, number: number) => `${store} was up to date (schema ${number}).`,
    roles: (roles: string) => `Roles to grant to logins: ${roles}`,
    rolesMissing: (missing: string) =>
      `Roles that are missing: ${missing}. This user may not make roles; run e8 fleet init as one who may (CREATEROLE), or let all connect as the owner.`,
    size: (size: string) => `size ${size}`,
    empty: 'No tasks here yet. Start one: e8 run "…" --check "…" --store <URL>',
    projectColumns: ["project", "tasks", "running", "lapsed", "completed", "cost today"],
    heldColumns: ["task id", "project", "process", "since", "lease"],
    lapsed: "lapsed",
    paused: "paused",
    copied: (id: string) => `${id}  copied`,
    moved: (id: string) => `${id}  moved`,
    thereAlready: (id: string) => `${id}  there already`,
    transferred: (tasks: number, entries: number) =>
      `${counted(tasks, "task")} and ${counted(entries, "piece")} of the project's knowledge have come across.`,
  },
};

export const enFleetHelp = {
  store:
    "where the tasks are: postgres://… for a database that several machines share, or files; also ENDLESS8_STORE, or store: in endless8.yaml",
  fleet: "a store that several machines share: make it, look at it",
  fleetInit: "make the store in a PostgreSQL database, or bring it up to date; may be repeated",
  fleetInitUrl: "postgres://owner@host:5432/database",
  fleetStatus: "what a shared store holds, over all projects, and which processes hold tasks",
  export: "copy tasks from the database into the project's files, with all their records",
  import: "copy tasks from the project's files into the database, with all their records",
  transferIds: "task ids or parts of them; all tasks and the project's knowledge where they are left out",
  move: "remove each task where it was, once it has come across",
};

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
    projectColumns: ["project", "tasks", "running", "queued", "oldest", "lapsed", "completed", "cost today"],
    workerColumns: ["worker", "machine", "labels", "projects", "tasks", "seen", ""],
    ago: (seconds: number) => `${seconds} s ago`,
    leaving: "leaving",
    waits: (id: string, until: string) => `${id} waits for a limit until ${until}`,
    heldColumns: ["task id", "project", "process", "since", "lease"],
    lapsed: "lapsed",
    paused: "paused",
    follow: (id: string) => `e8 watch ${id}`,
    answered: (id: string) => `The answers are kept; ${id} waits for a worker again.`,
    labelForm: "a label is a word of up to 40 letters, digits, dots, dashes and underscores",
    lineMissing:
      "Workers and e8 submit also need the package bullmq: npm install -g bullmq@6.7.0. Then run this once more.",
    copied: (id: string) => `${id}  copied`,
    moved: (id: string) => `${id}  moved`,
    thereAlready: (id: string) => `${id}  there already`,
    transferred: (tasks: number, entries: number) =>
      `${counted(tasks, "task")} and ${counted(entries, "piece")} of the project's knowledge have come across.`,
  },
  worker: {
    joined: (name: string, slots: number, projects: string, labels: string) =>
      `Worker ${name} takes tasks of ${projects}, ${slots} at a time${labels === "" ? "" : `, with the labels ${labels}`}. Ctrl-C or SIGTERM lets it leave.`,
    draining: (tasks: number) =>
      tasks === 0 ? "Leaving." : `No more tasks are taken; ${counted(tasks, "task")} in hand will be handed back.`,
    left: (tasks: number) => `The worker has left; it had ${counted(tasks, "task")}.`,
    away: (problem: string) => `The database is away; waiting for it. ${problem}`,
    back: "The database is back.",
    taken: "taken",
    ended: (status: string) => `ended: ${status}`,
    handedBack: "handed back; another worker can go on",
    lost: "another worker has taken it over, because this one showed no life; its agent was ended here",
    postponed: (problem: string, seconds: number) => `not now, again in ${seconds} s: ${problem}`,
    failed: (problem: string) => `cannot run: ${problem}`,
  },
};

export const enFleetHelp = {
  store:
    "where the tasks are: postgres://… for a database that several machines share, or files; also ENDLESS8_STORE, or store: in endless8.yaml",
  fleet: "a store that several machines share: make it, look at it",
  fleetInit: "make the store in a PostgreSQL database, or bring it up to date; may be repeated",
  fleetInitUrl: "postgres://owner@host:5432/database",
  fleetStatus: "what a shared store holds, over all projects, and which processes hold tasks",
  worker: "take tasks of the fleet and work on them until told to leave (SIGTERM or Ctrl-C)",
  repo: "a repository whose tasks to take, by URL (with * and **), or . for the project itself; may be repeated",
  submitRepo: "the repository to work on, by a URL that every worker's machine reaches",
  allow: "a YAML file that says what this machine does for the fleet",
  allowCommand: "a command that tasks may run outside of agents, with *; may be repeated",
  concurrency: "how many tasks at a time",
  workerLabel: "take also tasks that ask for this label; may be repeated",
  workerName: "the worker's name in e8 fleet status; host and process id where left out",
  drainTime: "seconds that iterations in hand have to end, once told to leave; then they are handed back as they are",
  workerSamePlace: "let tasks work in the same directory at the same time",
  submit: "give a task to the fleet: the first worker that has its labels works on it",
  submitTask: "what to do, in words; - for standard input; or a task file",
  submitLabel: "only a worker with this label takes the task; may be repeated",
  priority: "critical, urgent, high, normal, low, or P0 to P9; a step more is worth an hour of waiting",
  orchestrateWorkerLabel: "with --store: only workers with this label take the issues; may be repeated",
  submitResume: "give a stored task to the fleet again, to go on where its records end",
  export: "copy tasks from the database into the project's files, with all their records",
  import: "copy tasks from the project's files into the database, with all their records",
  transferIds: "task ids or parts of them; all tasks and the project's knowledge where they are left out",
  move: "remove each task where it was, once it has come across",
};

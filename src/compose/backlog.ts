import type { Flags } from "../configuration/task/flags.ts";
import { sharedDoors } from "../connection/agents/doors.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute, within, writeJsonFile } from "../connection/files.ts";
import { repositoryOf } from "../connection/git/project-name.ts";
import type { BacklogQueue, Turn, TurnWorker } from "../connection/ports/backlog.ts";
import type { NewTask } from "../connection/ports/task-store.ts";
import { holdGitHelper } from "../connection/processes/git-helper.ts";
import { handedFolder, openQueue, readQueue } from "../connection/stores/files/backlog-queue.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import { quoted, visible } from "../execution/prompt/quotes.ts";
import type { BacklogEvent, BacklogResult } from "../model/backlog.ts";
import type { Configuration } from "../model/configuration.ts";
import { isCheck } from "../model/criterion.ts";
import type { Environment } from "../model/environment.ts";
import { drain, through } from "../model/event-stream.ts";
import type { TrackedItem } from "../model/issue.ts";
import { redacted } from "../model/redaction.ts";
import { Backlog, type BacklogWish } from "../orchestrator/backlog.ts";
import { issueTask } from "../orchestrator/issue-task.ts";
import { Lanes } from "../orchestrator/lane.ts";
import { teller } from "../texts/tell.ts";
import { inPlace, placeLeft } from "./branch.ts";
import { fleetCarrier } from "./fleet/fleet-turns.ts";
import { createFlow, startFlow } from "./flows.ts";
import { requireAgents } from "./requirements.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { databaseOf, redactionOf, storeOf } from "./store.ts";
import { configureWith } from "./tasks.ts";
import { findWorkflow } from "./workflow.ts";

export interface BacklogRequest extends Omit<BacklogWish, "workflow"> {
  project: string;
  /** Of every run. */
  flags: Flags;
  /** The story that the model of every run is played from. */
  script?: string;
  /** What workers of a fleet must have to take the project's issues. */
  worker_labels?: readonly string[];
}

type Options = Pick<RunOptions, "environment" | "hurry" | "acceptChanges" | "language">;
export type BacklogOptions = Options & { signal: AbortSignal };

/** Works through the project's issues until none is left that could be worked on. */
export async function* workThrough(
  request: BacklogRequest,
  options: BacklogOptions,
): AsyncGenerator<BacklogEvent, BacklogResult> {
  const project = absolute(request.project);
  const opened = await openQueue(project);
  const redact = redactionOf(project);
  const queue: BacklogQueue = { ...opened, append: (record) => opened.append(redacted(record, redact)) };
  const leaveGit = holdGitHelper();
  try {
    const backlog = await backlogOf({ ...request, project }, options, queue);
    return yield* backlog.work(options.signal);
  } finally {
    leaveGit();
    await queue.release();
  }
}

/** What `workThrough` would do. Nothing is changed. */
export async function planBacklog(request: BacklogRequest, signal: AbortSignal) {
  const project = absolute(request.project);
  const queue = { records: () => readQueue(project), append: async () => {}, release: async () => {} };
  const backlog = await backlogOf({ ...request, project }, {}, queue);
  const { next, waiting } = await backlog.plan(signal);
  const planned = next.map(async ({ issue, choice }) => ({
    ...{ issue, ...(choice.phase !== undefined && { phase: choice.phase }) },
    ...{ agent: choice.agent, branch: `feature/issue-${issue.number}`, base: await baseOf(request, issue) },
  }));
  return { next: await Promise.all(planned), waiting };
}

async function baseOf(request: BacklogRequest, issue: TrackedItem): Promise<string | null> {
  const { configuration } = await configureWith(
    { flags: flagsFor(request.flags, { issue }), environment: {} },
    request.project,
  );
  return configuration.worktree.base;
}

async function backlogOf(request: BacklogRequest, options: Options, queue: BacklogQueue): Promise<Backlog> {
  const { project, flags: _, script: __, worker_labels: labels = [], ...wish } = request;
  const environment = options.environment ?? process.env;
  const workflow = await findWorkflow(project);
  const worker = workerIn(request, { ...options, environment });
  const database = databaseOf(project);
  const ports = {
    ...{ queue, clock: systemClock, tell: teller("en") },
    tracker: await createTracker({ project, environment }),
    worker: database ? { ...worker, carry: fleetCarrier(database, { labels }) } : worker,
  };
  return new Backlog(ports, { ...wish, workflow });
}

/** Runs turns in this process: what crashes is a process of its own already. */
function workerIn(
  { project, flags, script }: BacklogRequest,
  options: Options & { environment: Environment },
): TurnWorker {
  const store = storeOf(project);
  const lanes = new Lanes();
  const doors = sharedDoors(systemClock);
  return {
    create: (turn, named) => {
      const wanted = { turn, flags, script, named };
      return turn.agent ? flowTask(project, wanted, options) : goalTask(project, wanted, options);
    },
    async *carry(id, turn, { resumed, signal }) {
      const lane = lanes.for(turn.priority, () => systemClock.elapsed());
      const anew = { ...flags, criteria: undefined, maxCost: leastOf(flags.maxCost, turn.max_cost) };
      const start = resumed ? ({ is: "resumed", flags: anew } as const) : ({ is: "new" } as const);
      let output: Readonly<Record<string, unknown>> = {};
      const events = runIn({ store, id }, start, { ...options, signal, lane, doors });
      const result = yield* through(events, function* (envelope) {
        if (envelope.event.type === "summary") output = outputIn(envelope.event.summary.flow?.output);
        yield envelope;
      });
      return { result, output };
    },
    async prioritize(directory, issues, signal) {
      let output: Readonly<Record<string, unknown>> = {};
      const stdin = JSON.stringify(issues);
      const events = startFlow(
        { project, flow: directory, parameters: {}, flags, stdin },
        { ...options, signal, doors },
      );
      await drain(events, ({ event }) => {
        if (event.type === "summary") output = outputIn(event.summary.flow?.output);
      });
      return output;
    },
    has: (id) =>
      store.read(id).then(
        () => true,
        () => false,
      ),
    handOver: (issue, path, payload) =>
      writeJsonFile(within(handedFolder(project, issue), path), redacted(payload, redactionOf(project))),
  };
}

function outputIn(output: unknown): Readonly<Record<string, unknown>> {
  return typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
}

interface Wanted {
  turn: Turn;
  flags: Flags;
  script: string | undefined;
  named: NewTask["named"];
}

async function goalTask(project: string, { turn, flags, script, named }: Wanted, { environment }: Options) {
  const own = flagsFor(flags, turn);
  const { configuration } = await configureWith({ flags: own, environment: environment ?? process.env }, project);
  const store = storeOf(project);
  const isHere = databaseOf(project) === undefined; // a fleet's agents are on its machines
  if (isHere) await requireAgents({ configuration, project, environment: environment ?? process.env });
  const place = isHere ? await placeLeft(store, turn.follows) : undefined;
  const repository = isHere ? undefined : await remoteOf(project, configuration);
  const task = { configuration: inPlace(configuration, place), script, issue: issueOf(turn), place, ...repository };
  return store.create({ ...task, named, now: systemClock.now() });
}

async function flowTask(project: string, { turn, flags, script, named }: Wanted, options: Options) {
  const parameters = { issue: turn.issue.number };
  const base = flags.base ?? issueTask(turn.issue).base;
  const stays = turn.agent?.lands ? {} : { merge: false, push: false, createPr: false };
  const agent = flags.agent ?? turn.agent?.runner;
  const settings = { ...flags, ...stays, agent, worktree: true, base, maxCost: leastOf(flags.maxCost, turn.max_cost) };
  const flow = turn.agent?.directory ?? "";
  const wanted = { project, flow, parameters, flags: settings, script, issue: issueOf(turn) };
  const isHere = databaseOf(project) === undefined;
  const place = isHere ? await placeLeft(storeOf(project), turn.follows) : undefined;
  const { id } = await createFlow({ ...wanted, place, named, isOfFleet: !isHere }, options);
  return id;
}

/** Where the machines of a fleet find the project; without a remote, only those that work in its directory do. */
async function remoteOf(project: string, { worktree, finalize }: Configuration) {
  const repository = await repositoryOf(project, { base: worktree.base, remote: finalize.remote });
  return repository && { repository };
}

function issueOf({ issue: { number, title }, agent }: Turn) {
  return { number, title, ...(agent && { phase: agent.phase }) };
}

/** Anybody may have written the issue: its text is a quotation. The base of the command line comes before the issue's own. */
function flagsFor(flags: Flags, { issue, max_cost }: Pick<Turn, "issue" | "max_cost">): Flags {
  const { task, criteria, base } = issueTask(issue);
  const [, ...body] = task.split("\n\n");
  const title = visible(issue.title.replaceAll(/\s+/g, " ").trim());
  const quotation = quoted(body.join("\n\n").trim());
  return {
    ...flags,
    task: `Issue #${issue.number}: ${title}${quotation === "" ? "" : `\n\nThe issue says:\n${quotation}`}`,
    criteria: [...(flags.criteria ?? []), ...criteria.map((one) => (isCheck(one) ? one : one.text))],
    worktree: true,
    base: flags.base ?? base,
    maxCost: leastOf(flags.maxCost, max_cost),
  };
}

function leastOf(own: Flags["maxCost"], rest: number | undefined): Flags["maxCost"] {
  if (rest === undefined) return own;
  return own === undefined ? rest : Math.min(Number(own), rest);
}

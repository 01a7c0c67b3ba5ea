import type { Context, Hono } from "hono";
import { listKnowledge } from "../compose/knowledge.ts";
import { findTask, readPast } from "../compose/looking-back.ts";
import { diffOf } from "../compose/snapshots.ts";
import type { DashboardSession, KnowledgeView } from "../model/dashboard.ts";
import { E8Error } from "../model/errors.ts";
import { redacted } from "../model/redaction.ts";
import type { DashboardParts } from "./app.ts";
import { requireHere } from "./projects.ts";
import { languageOf, textsOf } from "./reader.ts";
import { eventStream } from "./server-events.ts";
import { shortened } from "./short-diff.ts";
import { listStream, namesOf, taskStream } from "./streams.ts";
import { readTaskView } from "./task-source.ts";
import { cellEvidence } from "./views/matrix.ts";

const TASK = "/api/tasks/:project/:id";

/** What the page shows. None of it changes anything. */
export function declareReading(app: Hono, parts: DashboardParts): void {
  const { options, projects, closing, redact } = parts;
  const answer = (context: Context, value: object) => context.json(redacted(value, redact));
  const words = (context: Context) => textsOf(context, options.language);
  app.get("/api/session", (context) => answer(context, sessionOf(context, parts)));
  app.get("/api/tasks", async (context) => {
    const language = languageOf(context, options.language);
    const rows = await Promise.all(projects.all().map(({ list }) => list.rows(language)));
    return answer(context, rows.flat());
  });
  app.get("/api/events", async (context) => {
    const texts = await words(context);
    return eventStream((signal) => listStream(projects, texts, signal), { closing, redact });
  });
  app.get("/api/backlog/:project", async (context) => {
    const { backlog, list } = projects.get(context.req.param("project"));
    return answer(context, await backlog.view(list, await words(context)));
  });
  app.get(TASK, async (context) => {
    const asked = await taskIn(context, parts);
    const [row] = await projects.get(asked.project).list.rows(options.language, [asked.id]);
    return answer(context, await readTaskView({ ...asked, row }, options.wording, await words(context)));
  });
  app.get(`${TASK}/events`, async (context) => {
    const { directory, id } = await taskIn(context, parts);
    const after = numberOf("after", context.req.header("last-event-id") ?? context.req.query("after") ?? "0");
    const texts = await words(context);
    const stream = (signal: AbortSignal) => taskStream({ directory, id, after, signal }, options.wording, texts);
    return eventStream(stream, { closing, redact });
  });
  app.get(`${TASK}/evidence`, async (context) => {
    const { directory, id } = await taskIn(context, parts);
    const cell = { iteration: numberIn(context, "iteration"), id: numberIn(context, "id") };
    const found = cellEvidence((await readPast(directory, id)).records, cell, await words(context));
    if (!found) throw new E8Error("dashboard_nothing", { path: context.req.path });
    return answer(context, found);
  });
  app.get(`${TASK}/diff`, async (context) => {
    const { directory, id, project } = await taskIn(context, parts);
    requireHere(projects.get(project));
    const range = `${numberIn(context, "from", "0")}..${context.req.query("to") === undefined ? "" : numberIn(context, "to")}`;
    return answer(context, shortened(await diffOf({ project: directory, id }, range)));
  });
  app.get(`${TASK}/knowledge`, async (context) => {
    const { directory, id } = await taskIn(context, parts);
    const entries = await listKnowledge({ project: directory, task: id, report: () => {} });
    return answer(context, { entries } satisfies KnowledgeView);
  });
}

function sessionOf(context: Context, { options, projects }: DashboardParts): DashboardSession {
  return {
    version: options.version,
    language: languageOf(context, options.language),
    read_only: options.isReadOnly,
    projects: namesOf(projects),
  };
}

/** The task that an address names. Its id is checked before it reaches anything. */
export async function taskIn(context: Context, { projects }: DashboardParts) {
  const { key, directory } = projects.get(context.req.param("project") ?? "");
  const id = await findTask(directory, context.req.param("id") ?? "");
  return { project: key, directory, id };
}

function numberIn(context: Context, name: string, otherwise = ""): number {
  return numberOf(name, context.req.query(name) ?? otherwise);
}

function numberOf(name: string, given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new E8Error("dashboard_request", { problem: `${name}=${given.slice(0, 40)}` });
}

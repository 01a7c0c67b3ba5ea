import type { Context, Hono } from "hono";
import type { z } from "zod";
import { DashboardAction, DashboardTask } from "../model/dashboard.ts";
import { E8Error } from "../model/errors.ts";
import { jsonIn } from "../model/json.ts";
import { redacted } from "../model/redaction.ts";
import type { DashboardParts } from "./app.ts";
import { beginTask } from "./launch.ts";
import { requireHere } from "./projects.ts";
import { textsOf } from "./reader.ts";
import { taskIn } from "./reading-routes.ts";

/** What the page changes. */
export function declareActions(app: Hono, parts: DashboardParts): void {
  const { options, projects, redact } = parts;
  app.post("/api/tasks", async (context) => {
    const { project, ...task } = await bodyOf(context, DashboardTask);
    const chosen = projects.get(project);
    requireHere(chosen);
    const { directory } = chosen;
    const outcome = await beginTask({ directory, task }, options, await textsOf(context, options.language));
    return context.json(redacted(outcome, redact));
  });
  app.post("/api/tasks/:project/:id", async (context) => {
    const action = await bodyOf(context, DashboardAction);
    const place = await taskIn(context, parts);
    const { act, needsFiles } = await import("./actions.ts"); // with all that runs need
    if (await needsFiles(action, place)) requireHere(projects.get(place.project));
    const outcome = await act(action, place, { options, texts: await textsOf(context, options.language) });
    return context.json(redacted(outcome, redact));
  });
}

async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\b/.test(context.req.header("content-type") ?? ""))
    throw new E8Error("dashboard_request", { problem: "content-type" });
  const parsed = schema.safeParse(jsonIn(await context.req.text()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new E8Error("dashboard_request", {
    problem: [issue?.path.join("."), issue?.message].filter(Boolean).join(": "),
  });
}

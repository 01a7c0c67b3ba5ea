import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie } from "hono/cookie";
import { asE8Error, E8Error } from "../model/errors.ts";
import { type Redact, redacted } from "../model/redaction.ts";
import { errorText } from "../texts/sentences.ts";
import { declareActions } from "./action-routes.ts";
import type { Door } from "./door.ts";
import { entrance } from "./entrance.ts";
import { onlyOwnHost, onlyOwnOrigin, withHeaders } from "./guard.ts";
import type { DashboardOptions } from "./options.ts";
import { pageFile } from "./page-files.ts";
import type { ProjectList } from "./project-list.ts";
import { languageOf, textsOf } from "./reader.ts";
import { declareReading } from "./reading-routes.ts";
import { statusOf } from "./refusals.ts";

export interface DashboardParts {
  options: DashboardOptions;
  door: Door;
  projects: ProjectList;
  /** Takes the secrets of the projects out of whatever is shown: records of earlier versions and diffs may hold some. */
  redact: Redact;
  /** Where it listens. */
  port: () => number;
  /** Aborts when the server closes: streams have no end of their own. */
  closing: AbortSignal;
}

const MOST_BYTES = 1024 * 1024;

/** Everything that a browser can ask the dashboard for. */
export function dashboardApp(parts: DashboardParts): Hono {
  const { options, door, port } = parts;
  const app = new Hono();
  app.onError((error, context) => refusal(error, context, parts));
  app.notFound((context) => refusal(new E8Error("dashboard_nothing", { path: context.req.path }), context, parts));
  app.use(withHeaders(), onlyOwnHost({ host: options.host, port }), onlyOwnOrigin());
  app.use(bodyLimit({ maxSize: MOST_BYTES, onError: () => tooLarge() }));
  app.get("/", async (context) =>
    entrance(context, { door, page: options.page }, await textsOf(context, options.language)),
  );
  app.get("/assets/:name", (context) => pageFile(context, options.page, `assets/${context.req.param("name")}`));
  app.use("/api/*", async (context, next) => {
    if (!door.isKnown(getCookie(context, door.cookie), new Date()))
      throw new E8Error("dashboard_refused", { why: "login" });
    if (options.isReadOnly && !["GET", "HEAD"].includes(context.req.method))
      throw new E8Error("dashboard_refused", { why: "read_only" });
    await next();
  });
  declareReading(app, parts);
  declareActions(app, parts);
  return app;
}

function tooLarge(): never {
  throw new E8Error("dashboard_request", { problem: `> ${MOST_BYTES} B` });
}

function refusal(thrown: Error, context: Context, { options: { language }, redact }: DashboardParts): Response {
  const error = asE8Error(thrown);
  const text = redacted(errorText(error, languageOf(context, language)), redact);
  return context.json({ code: error.code, ...text }, statusOf(error));
}

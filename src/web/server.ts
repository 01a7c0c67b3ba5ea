import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { dashboardKey, redactionOfAll } from "../compose/dashboard.ts";
import { E8Error } from "../model/errors.ts";
import { dashboardApp } from "./app.ts";
import { Door } from "./door.ts";
import type { DashboardOptions } from "./options.ts";
import { requirePage } from "./page-files.ts";
import { ProjectList } from "./project-list.ts";

/** The same each time, so that a page that is open finds its server again. */
const USUAL_PORT = 4808;

export interface Dashboard {
  /** Lets one browser in, once. */
  url: string;
  /** Resolves when it has. */
  entered: Promise<void>;
  close(): Promise<void>;
}

/** Serves the dashboard until it is closed. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  requirePage(options.page);
  const key = await dashboardKey();
  const projects = new ProjectList(options.projects, options.elsewhere);
  const redact = redactionOfAll(projects.all().map(({ directory }) => directory));
  await projects.look();
  const closing = new AbortController();
  let handler: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request) => handler(request) }) as Server;
  const port = await listening(server, options);
  const door = new Door(key, port);
  const app = dashboardApp({ options, door, projects, redact, port: () => port, closing: closing.signal });
  handler = (request) => app.fetch(request);
  return {
    url: `http://${authority(options.host, port)}/?token=${door.token}`,
    entered: door.entered,
    close: async () => {
      closing.abort();
      projects.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The port it was given, or the usual one, or else a free one. */
async function listening(server: Server, { host, port }: DashboardOptions): Promise<number> {
  for (const candidate of port === undefined ? [USUAL_PORT, 0] : [port]) {
    try {
      server.listen(candidate, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (isTaken && port === undefined && candidate !== 0) continue;
      const problem = error instanceof Error ? error.message : String(error);
      throw new E8Error("dashboard_port", { host, port: candidate, problem }, { cause: error });
    }
  }
  throw new E8Error("dashboard_port", { host, port: USUAL_PORT, problem: "" });
}

/** An open address has no name of its own. */
function authority(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${name.includes(":") ? `[${name}]` : name}:${port}`;
}

import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { dashboardWording } from "../../src/cli/render/dashboard.ts";
import type { OpenTask } from "../../src/connection/ports/open-task.ts";
import { fileStore } from "../../src/connection/stores/files/file-store.ts";
import type { Configuration } from "../../src/model/configuration.ts";
import type { DashboardOptions } from "../../src/web/options.ts";
import { shownProjects } from "../../src/web/projects.ts";
import { startDashboard } from "../../src/web/server.ts";
import type { Started } from "./sandbox.ts";
import { configuration } from "./stored.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A project with tasks, and a dashboard of it that a browser has entered. */
export async function dashboardBox(more: Partial<DashboardOptions> = {}) {
  const home = await temporaryDirectory();
  const project = join(home, "shop");
  const page = join(home, "page");
  await mkdir(join(page, "assets"), { recursive: true });
  await mkdir(project);
  await writeFile(join(page, "index.html"), "<!doctype html><p>the page</p>");
  await writeFile(join(page, "assets", "main-1a2b.js"), "export {};");
  await writeFile(join(home, "outside.js"), "secret");
  const options: DashboardOptions = {
    projects: [project],
    host: "127.0.0.1",
    port: 0,
    isReadOnly: false,
    language: "en",
    version: "9.9.9",
    program: ["false"],
    environment: {},
    wording: dashboardWording,
    page,
    ...more,
  };
  const dashboard = await startDashboard(options);
  onTestFinished(() => dashboard.close());
  const key = shownProjects([project])[0]?.key ?? "";
  return { dashboard, options, project, ...(await entering(new URL(dashboard.url))), key, ...maker(project) };
}

/** A dashboard that the real program serves, as a process with the environment of the sandbox. */
export async function programsDashboard(started: Started) {
  const url = await addressOf(started);
  return { ...started, ...(await entering(url)) };
}

/** The address that a program prints, on either of its outputs. */
function addressOf({ child, ended }: Started): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const [found] = /http:\S+token=\S+(?=\s)/.exec(said) ?? [];
        if (found) resolve(new URL(found));
      });
    void ended.then(({ stderr }) => reject(new Error(`It has ended: ${stderr}`)));
  });
}

/** What a browser may ask that has entered. */
async function entering(url: URL) {
  const fetchRaw = (path: string, asked: Asked = {}) => ask(url, path, asked);
  const entered = await fetchRaw(`${url.pathname}${url.search}`);
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const get = (path: string, headers = {}) => fetchRaw(path, { headers: { cookie, ...headers } });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetchRaw(path, {
      method: "POST",
      headers: { cookie, origin: url.origin, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return { url, entered, cookie, fetchRaw, get, post };
}

function maker(project: string) {
  /** Makes a task, and has `fill` record what it says. */
  const task = async (fill: (task: OpenTask) => Promise<void> = async () => {}, more: Partial<Configuration> = {}) => {
    const store = fileStore(project);
    const settings = configuration({ working_directory: project, ...more });
    const id = await store.create({ configuration: settings, now: new Date() });
    const open = await store.open(id);
    await fill(open).finally(() => open.release());
    return id;
  };
  /** The same, but its run goes on until the test ends. */
  const running = async () => {
    const store = fileStore(project);
    const id = await store.create({ configuration: configuration({ working_directory: project }), now: new Date() });
    const open = await store.open(id);
    onTestFinished(() => open.release());
    return { id, open };
  };
  return { task, running };
}

/** Node's own `fetch` sets the headers that say where a request comes from as it likes. */
function ask({ hostname, port }: URL, path: string, { method = "GET", headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Reads server-sent events until one of them is what the test waits for. */
export async function readEvents(
  url: URL,
  {
    path,
    cookie,
    headers = {},
    until,
  }: { path: string; cookie: string; headers?: Record<string, string>; until: (text: string) => boolean },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = url;
    const sent = request({ hostname, port, path, headers: { cookie, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (until(text)) finish();
      });
      const finish = () => {
        sent.destroy();
        resolve(text);
      };
      response.on("close", () => resolve(text));
    });
    sent.on("error", (error) => reject(error));
    sent.end();
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { chooseStore } from "../../compose/choose-store.ts";
import { findProject } from "../../compose/project.ts";
import { databaseOf } from "../../compose/store.ts";
import { packageVersion } from "../../compose/version.ts";
import { isLoopback } from "../../web/guard.ts";
import type { DashboardOptions } from "../../web/options.ts";
import { PAGE } from "../../web/page-files.ts";
import { type Dashboard, startDashboard } from "../../web/server.ts";
import type { CliContext } from "../output.ts";
import { dashboardWording } from "../render/dashboard.ts";
import { unfitFlag } from "../run-flags.ts";

interface DashboardFlags {
  project?: string[];
  store?: string;
  port?: string;
  host?: string;
  open: boolean;
  readOnly?: boolean;
}

/** Serves the page until it is interrupted. Runs go on: they are processes of their own. */
export async function dashboardCommand(flags: DashboardFlags, context: CliContext): Promise<void> {
  keepSmall();
  const { texts, output } = context;
  const { host = LOOPBACK, readOnly: isReadOnly = false, store } = flags;
  const port = portOf(flags, context);
  const projects = flags.project?.map((one) => resolve(one)) ?? [await findProject(process.cwd())];
  for (const project of projects) await chooseStore({ project, url: store, environment: process.env });
  const [own] = projects;
  const elsewhere = flags.project === undefined && own !== undefined ? elsewhereOf(own) : undefined;
  const dashboard = await openDashboard({ projects, elsewhere, host, port, isReadOnly, store }, context);
  output.result(texts.dashboard.open(dashboard.url));
  output.progress(isReadOnly ? texts.dashboard.readOnly : texts.dashboard.once);
  if (!isLoopback(host)) output.progress(output.paint("yellow", texts.dashboard.exposed(host)));
  if (flags.open) openBrowser(dashboard.url);
  await interrupted();
  await dashboard.close();
}

/** Only those who have a database load what reads one. */
function elsewhereOf(project: string): DashboardOptions["elsewhere"] {
  if (!databaseOf(project)) return undefined;
  return async () => (await import("../../compose/fleet/elsewhere.ts")).projectsElsewhere(project);
}

interface Wanted {
  projects: readonly string[];
  elsewhere?: DashboardOptions["elsewhere"];
  host: string;
  port: number | undefined;
  isReadOnly: boolean;
  /** Where the runs that the page starts keep their tasks. */
  store: string | undefined;
}

/** Shows a project whose runs are played: nothing real may be started from the page. Waits for the browser: such a run is short. */
export async function showInBrowser(
  { project, open = true }: { project: string; open?: boolean | undefined },
  context: CliContext,
) {
  const { texts, output } = context;
  const wanted = {
    projects: [project],
    host: LOOPBACK,
    port: undefined,
    isReadOnly: true,
    store: undefined,
  };
  const dashboard = await openDashboard(wanted, context);
  const url = `${dashboard.url}#/latest`;
  output.progress(texts.dashboard.open(url));
  if (open) await Promise.race([dashboard.entered, givenUp(openBrowser(url))]);
  const untilInterrupted = async () => {
    output.progress(texts.dashboard.leave);
    await interrupted();
  };
  return { untilInterrupted, close: () => dashboard.close() };
}

const LOOPBACK = "127.0.0.1";

/** It is open for days and seldom busy. Without this, Node.js lets the memory for passing objects grow to 60 MB (decision 0071). */
function keepSmall(): void {
  setFlagsFromString("--optimize-for-size");
}

function openDashboard({ store, ...wanted }: Wanted, { texts }: CliContext): Promise<Dashboard> {
  return startDashboard({
    ...wanted,
    language: texts.language,
    version: packageVersion(),
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    // Not on their command line, which everybody on this machine can read.
    environment: { ...process.env, ...(store !== undefined && { ENDLESS8_STORE: store }) },
    wording: dashboardWording,
    page: PAGE,
  });
}

function portOf({ port }: DashboardFlags, { texts }: CliContext): number | undefined {
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    return port === undefined ? undefined : Number(port);
  throw unfitFlag({ flag: "--port", command: "dashboard" }, port, texts.values.between(0, 65_535));
}

/** Without a shell. Where there is no browser, the address is on the screen. */
function openBrowser(url: string): ChildProcess {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
  return child;
}

/** Browsers are slow to start, and some machines have none. */
const LONGEST_WAIT = 10_000;

function givenUp(browser: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    browser.once("error", () => resolve());
    browser.once("exit", (code) => code !== 0 && resolve());
    setTimeout(resolve, LONGEST_WAIT).unref();
  });
}

function interrupted(): Promise<void> {
  return new Promise((leave) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leave());
  });
}

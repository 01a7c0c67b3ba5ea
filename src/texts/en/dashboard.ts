import { counted, type ErrorTexts } from "../message-texts.ts";

/** What `e8 dashboard` says, and what its server answers. */
export const enDashboard = {
  dashboard: {
    open: (url: string) => `The dashboard is at ${url}`,
    once: "This address lets one browser in, once. Ctrl-C ends the dashboard; runs go on.",
    exposed: (host: string) =>
      `It listens on ${host}: whoever can reach this machine and learns the address can start programs on it. Everything travels unencrypted.`,
    readOnly: "It shows and changes nothing.",
    begun: (id: string) => `Task ${id} has begun.`,
    goesOn: (id: string) => `Task ${id} goes on.`,
    forked: (id: string, from: number) =>
      from === 0 ? `Task ${id} has begun from the start.` : `Task ${id} has begun from iteration ${from}.`,
    answersKept: (open: number) => `Kept. ${counted(open, "question")} to go.`,
    notBegun: "not begun",
    leave: "The page stays until Ctrl-C.",
    loginTitle: "Open the dashboard from the terminal",
    login:
      "The address that e8 dashboard prints lets one browser in, once. If you have been here before, follow the link; otherwise start e8 dashboard again.",
    loginAgain: "To the dashboard",
  },
};

export const enDashboardHelp = {
  dashboard: "show the tasks in the browser, live, and steer them from there",
  dashboardProject: "a project to show (repeat for several)",
  port: "the port to listen on; where it is left out, the usual one or else a free one",
  host: "the address to listen on; others than this machine's own let other machines in",
  noOpen: "do not open the browser",
  readOnly: "show only: nothing can be started, steered or changed from the page",
  demoDashboard: "show the demo's run in the browser",
};

type DashboardErrors = Pick<
  ErrorTexts,
  | "dashboard_refused"
  | "dashboard_request"
  | "dashboard_nothing"
  | "dashboard_port"
  | "dashboard_unbuilt"
  | "dashboard_run"
  | "dashboard_elsewhere"
>;

const REFUSALS = {
  host: [
    "This request came under another name than the dashboard's own.",
    "Open the address that e8 dashboard has printed.",
  ],
  origin: ["This request came from a page of another site.", "Open the address that e8 dashboard has printed."],
  login: [
    "The dashboard does not know this browser.",
    "Open the address that e8 dashboard has printed; it works once.",
  ],
  read_only: ["This dashboard only shows.", "Start it without --read-only to change something from the page."],
} as const;

export const enDashboardErrors: DashboardErrors = {
  dashboard_refused: ({ why }) => REFUSALS[why],
  dashboard_request: (d) => [`The request cannot be read: ${d.problem}`, "Load the page again."],
  dashboard_nothing: (d) => [`There is nothing at ${d.path}.`, "Go back to the list of tasks."],
  dashboard_port: (d) => [
    `The dashboard cannot listen on ${d.host}, port ${d.port}: ${d.problem}`,
    "Choose another port with --port, or leave it out.",
  ],
  dashboard_unbuilt: (d) => [
    `The dashboard's page is not there: ${d.path}`,
    "In a checkout, build it with `npm run compile`. A package from a git URL comes without it: install endless8 from the registry.",
  ],
  dashboard_run: (d) => [d.problem, d.hint],
  dashboard_elsewhere: (d) => [
    `This needs the files of ${d.project}, which are not on this machine.`,
    "Use the command of the same name in a checkout of that project, or start e8 dashboard there.",
  ],
};

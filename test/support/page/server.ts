import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { ActionOutcome, ListChange, StreamedEvent, TaskRow, TaskView } from "../../../src/model/dashboard.ts";
import { diffOf } from "./diff.ts";
import { eventOf } from "./events.ts";
import { BACKLOG, FLOW } from "./flow.ts";
import { hostileRun } from "./hostile.ts";
import { proofOf } from "./proof.ts";
import { OTHER, PROJECT, rowOf, runOf } from "./runs.ts";

/** As the real server sends it: what it forbids must not be needed. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface Fixture {
  address: string;
  /** What the page has asked to be done. */
  asked: { path: string; body: unknown }[];
  /** Sends an event to all that follow a run. */
  send: (event: StreamedEvent) => void;
  sendRows: (rows: TaskRow[]) => void;
  /** Ends every stream, as a restart does. */
  drop: () => void;
  close: () => Promise<void>;
}

interface Options {
  tasks?: number;
  /** Of the run that is longest. */
  iterations?: number;
  diffLines?: number;
  readOnly?: boolean;
}

interface Asked {
  id: string;
  query: URLSearchParams;
  number: (key: string) => number;
}

/** Tasks: 0 runs, 1 is completed and proved, 4 has questions, 5 is hostile, 6 is a flow, 7 is long. */
export async function fixtureServer(directory: string, options: Options = {}): Promise<Fixture> {
  const { tasks = 60, iterations = 1000, diffLines = 2000, readOnly = false } = options;
  const streams = new Set<ServerResponse>();
  const lists = new Set<ServerResponse>();
  const asked: Fixture["asked"] = [];
  const events = Array.from({ length: 40 }, (_, index) => eventOf(index + 1));

  const json = (response: ServerResponse, value: unknown, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  const stream = (response: ServerResponse, followers: Set<ServerResponse>) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(":\n\n");
    followers.add(response);
    response.on("close", () => followers.delete(response));
  };
  const projects = [
    { key: PROJECT, name: "shop", is_elsewhere: false },
    { key: OTHER, name: "site", is_elsewhere: false },
  ];
  const answers: Record<string, (asked: Asked) => unknown> = {
    session: ({ query }) => ({ version: "0.2.0", language: query.get("lang") ?? "en", read_only: readOnly, projects }),
    tasks: () => Array.from({ length: tasks }, (_, index) => rowOf(index)),
    backlog: () => BACKLOG,
    view: ({ id }) => viewOf(id, iterations),
    evidence: ({ number }) => evidenceOf(number("iteration"), number("id")),
    diff: ({ number }) => diffOf(number("from"), number("to"), diffLines),
    knowledge: () => ({ entries: KNOWLEDGE }),
  };
  const answer = (path: string, query: URLSearchParams, response: ServerResponse) => {
    const [, kind = "", project, id = "", what = "view"] = path.split("/");
    const number = (key: string) => Number(query.get(key));
    if (kind === "events") return stream(response, lists);
    if (what === "events") {
      stream(response, streams);
      for (const event of events.filter(({ seq }) => seq > number("after"))) response.write(lineOf(event));
      return;
    }
    const name = kind === "tasks" && project !== undefined ? what : kind;
    json(response, answers[name]?.({ id, query, number }) ?? { code: "not_found", message: "There is no such thing." });
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (!pathname.startsWith("/api/")) return asset(directory, pathname, response);
    const path = pathname.slice("/api".length);
    if (request.method !== "POST") return answer(path, searchParams, response);
    asked.push({ path, body: JSON.parse(await textOf(request)) });
    json(response, { said: "Done.", task_id: rowOf(1).task_id } satisfies ActionOutcome);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    asked,
    send: (event) => {
      events.push(event);
      for (const response of streams) response.write(lineOf(event));
    },
    sendRows: (rows) => {
      for (const response of lists)
        response.write(`event: tasks\ndata: ${JSON.stringify({ rows, gone: [] } satisfies ListChange)}\n\n`);
    },
    drop: () => {
      for (const response of [...streams, ...lists]) response.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const lineOf = (event: StreamedEvent) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

async function asset(directory: string, pathname: string, response: ServerResponse): Promise<void> {
  const path = join(directory, normalize(pathname === "/" ? "/index.html" : pathname));
  try {
    const content = await readFile(path);
    response.writeHead(200, {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}

/** The view of a task of the fixture. */
export function viewOf(id: string, iterations: number): TaskView {
  const number = Array.from({ length: 60 }, (_, index) => index).find((one) => rowOf(one).task_id === id) ?? 1;
  switch (number) {
    case 0:
      return runOf(0, 5, true);
    case 4:
      return {
        ...runOf(4, 1, false),
        status: "clarification_needed",
        timeline: [],
        rows: runOf(4, 0, false).rows,
        iterations: 0,
        criteria_met: 0,
        questions: QUESTIONS,
      };
    case 5:
      return hostileRun(5);
    case 6:
      return { ...runOf(6, 6, true), doing: { phase: "waiting", until: Date.now() + 754_000 }, flow: FLOW };
    case 7:
      return runOf(7, iterations, false);
    default:
      return { ...runOf(number, 8, false), proof: proofOf(8) };
  }
}

const QUESTIONS = [
  {
    question: "Which rounding do you want?",
    context: "The invoice module rounds half up, the tax office half to even.",
    suggested_answers: ["half up", "half to even"],
  },
  { question: "May README.md be changed?", context: "", suggested_answers: [] },
];

function evidenceOf(iteration: number, id: number) {
  const isCommand = id === 1;
  return {
    iteration,
    id,
    is_met: iteration > 5,
    said: isCommand ? "The command ended with exit code 1; output ends with:" : "",
    quoted: isCommand
      ? "FAIL test/cart.test.ts > total > rounds once\nAssertionError: expected 10.01 to be 10.02\n\nTests  2 failed | 41 passed (43)"
      : "src/cart.ts rounds in rounded() only; README.md, line 5: “Totals are rounded once, after all lines were added.”",
    is_cut: isCommand,
    source: isCommand ? "command" : "judge",
    confidence: 0.92,
  };
}

const KNOWLEDGE = [
  {
    type: "constraint",
    category: "money",
    content: "Amounts are integer cents everywhere but in the cart.",
    example_file: "src/invoice.ts",
    confidence: "high",
    source_task: rowOf(3).task_id,
    applied_count: 4,
    created_at: "2026-03-01T09:00:00Z",
  },
  {
    type: "lesson",
    category: "tests",
    content: "The fixtures of rates are read once: restart the watcher after a change.",
    example_file: null,
    confidence: "medium",
    source_task: rowOf(9).task_id,
    applied_count: 0,
    created_at: "2026-03-02T09:00:00Z",
  },
];

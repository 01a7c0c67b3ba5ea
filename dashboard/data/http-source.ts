import type { ListChange, StreamedEvent } from "../../src/model/dashboard.ts";
import { language, texts } from "../texts/texts.ts";
import { parseClean } from "./clean.ts";
import { link } from "./link.ts";
import { Failed, type Problem, type Source, type TaskKey, UNREACHABLE } from "./source.ts";
import { follow } from "./stream.ts";

type Values = Record<string, string | number>;

function place(path: readonly string[], values: Values = {}): string {
  const query = new URLSearchParams({ lang: language.peek() });
  for (const [key, value] of Object.entries(values)) query.set(key, String(value));
  return `api/${path.map(encodeURIComponent).join("/")}?${query}`;
}

async function ask<T>(address: string, body?: object): Promise<T> {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(address, body && posted).catch(() => {
    throw new Failed({ code: UNREACHABLE, ...texts().unreachable });
  });
  if (response.ok) {
    if (link.peek() === "denied") link.value = "live";
    return parseClean<T>(await response.text());
  }
  if (response.status === 401) link.value = "denied";
  throw new Failed(await problemIn(response));
}

async function problemIn(response: Response): Promise<Problem> {
  const { code, message, hint } = await response
    .text()
    .then(parseClean<Partial<Problem>>)
    .catch(() => ({}) as Partial<Problem>);
  return { code: code ?? String(response.status), message: message ?? response.statusText, ...(hint && { hint }) };
}

const of = ({ project, task_id }: TaskKey, ...rest: string[]) => ["tasks", project, task_id, ...rest];

export const httpSource: Source = {
  is_live: true,
  session: () => ask(place(["session"])),
  tasks: () => ask(place(["tasks"])),
  task: (key) => ask(place(of(key))),
  evidence: (key, cell) => ask(place(of(key, "evidence"), cell)),
  diff: (key, span) => ask(place(of(key, "diff"), span)),
  knowledge: (key) => ask(place(of(key, "knowledge"))),
  backlog: (project) => ask(place(["backlog", project])),
  start: (task) => ask(place(["tasks"]), task),
  act: (key, action) => ask(place(of(key)), action),
  followTasks: (changed, again) =>
    follow<ListChange>({ address: () => place(["events"]), name: "tasks", read: changed, reopened: again }),
  followEvents: (key, after, read) => {
    let seen = after;
    return follow<StreamedEvent>({
      address: () => place(of(key, "events"), { after: seen }),
      name: "message",
      read: (events) => {
        const fresh = events.filter(({ seq }) => seq > seen);
        seen = fresh.at(-1)?.seq ?? seen;
        if (fresh.length > 0) read(fresh);
      },
    });
  },
};

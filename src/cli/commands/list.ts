import { overviews } from "../../compose/looking-back.ts";
import { isInFuture, type Task } from "../../model/task.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { errorText } from "../../texts/sentences.ts";
import type { CliContext, Output, Paint } from "../output.ts";
import { age, costWords } from "../render/amounts.ts";
import { displayWidth, fitted, table, terminalWidth } from "../render/columns.ts";
import { oneLine } from "../render/lines.ts";
import { wrapped } from "../render/wrap.ts";

type Overview = Awaited<ReturnType<typeof overviews>>[number];
type TaskOverview = Extract<Overview, { status: string }>;
type AgentCall = Pick<NonNullable<Task["flow"]>, "name" | "parameters">;

export async function listCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const tasks = await overviews(project);
  if (json) return output.json(tasks.map(overviewAsJson));
  if (tasks.length === 0) return output.progress(texts.list.empty);
  const now = new Date();
  const rows = tasks.map((one) => row(one, now, texts));
  for (const line of tableLines(rows, texts, output.paint) ?? rows.flatMap((cells) => blockLines(cells, texts, output)))
    output.result(line);
}

const SHORTEST_TASK = 8;
const LONGEST_TASK = 60;
const LONGEST_VALUE = 20;

/** Only the last column is cut: a shortened id or number is useless. Undefined where even that leaves no room. */
function tableLines(rows: readonly (readonly string[])[], { list }: Texts, paint: Paint): string[] | undefined {
  const all = [list.columns, ...rows];
  const facts = table(all.map((cells) => [...cells.slice(0, -1), "|"]));
  const room = terminalWidth() - displayWidth(facts[0] ?? "") + 1;
  if (room < SHORTEST_TASK) return undefined;
  const [head = "", ...lines] = table(all.map((cells) => [...cells.slice(0, -1), fitted(cells.at(-1) ?? "", room)]));
  return [paint("bold", head), ...lines];
}

function blockLines(cells: readonly string[], { report }: Texts, { paint }: Output): string[] {
  const [id = "", status = "", iterations = "", met = "", cost = "", age = "", task = ""] = cells;
  const named = [[report.iterations, iterations], [report.criteria, met], [cost], [age]];
  const facts = named.filter((one) => one.at(-1)).map((one) => one.join(" "));
  const width = terminalWidth();
  return [
    paint("bold", `${id}  ${status}`),
    ...(facts.length > 0 ? wrapped(`  ${facts.join("  ")}`, width) : []),
    `  ${fitted(task, width - 2)}`,
  ];
}

function row(overview: Overview, now: Date, texts: Texts): string[] {
  if ("error" in overview)
    return [
      overview.task_id,
      texts.error,
      "",
      "",
      "",
      "",
      oneLine(errorText(overview.error, texts.language).message, 80),
    ];
  const { task, status, iterations, criteria_met, spent } = overview;
  const { task: text, criteria, max_iterations } = task.configuration;
  return [
    task.task_id,
    doubtText(overview, now, texts) ?? statusText(status, texts),
    `${iterations}/${max_iterations}`,
    criteria.length > 0 ? `${criteria_met}/${criteria.length}` : "-", // an agent has conditions of its own
    costWords(spent, texts)[0] ?? "-",
    age(task.created_at, now, texts),
    taskText(task.flow, text),
  ];
}

/** An agent's task is the same in every run, but for its parameters, and begins with its display name, which is often its name already. */
function taskText(agent: AgentCall | null, text: string): string {
  if (!agent) return oneLine(text, LONGEST_TASK);
  const parameters = givenParameters(agent).map(([name, value]) => ` ${name}=${oneLine(value, LONGEST_VALUE)}`);
  const named = `${agent.name}: `;
  const rest = text.startsWith(named) ? text.slice(named.length) : text;
  return `${agent.name}${parameters.join("")}: ${oneLine(rest, LONGEST_TASK)}`;
}

export function statusText(status: Extract<Overview, { status: string }>["status"], texts: Texts): string {
  const { running, paused, queued, interrupted } = texts.list;
  return { ...texts.status, running, paused, queued, interrupted }[status];
}

/** What keeps a task from being believed: another program has written it, or it is dated in the future. */
export function doubtText(
  { task, origin }: Pick<TaskOverview, "task" | "origin">,
  now: Date,
  { list }: Texts,
): string | undefined {
  if (isInFuture(task, now)) return list.inFuture;
  return origin === "unknown" ? list.notBegunHere : undefined;
}

function overviewAsJson(overview: Overview): object {
  if ("error" in overview)
    return {
      task_id: overview.task_id,
      status: "unreadable",
      error_code: overview.error.code,
      error_message: errorText(overview.error, "en").message,
    };
  const { task, status, origin, iterations, criteria_met, spent, location, result } = overview;
  return {
    task_id: task.task_id,
    status,
    origin,
    is_in_future: isInFuture(task, new Date()),
    stop_reason: result?.stop_reason ?? null,
    iterations,
    max_iterations: task.configuration.max_iterations,
    criteria_met,
    criteria: task.configuration.criteria.length,
    usage: spent,
    created_at: task.created_at,
    agent: task.flow?.name ?? null,
    directory: location,
    task: task.configuration.task,
  };
}

/** What an agent was called with, as text: a name and a value each. */
export function givenParameters({ parameters }: { parameters: Readonly<Record<string, unknown>> }): [string, string][] {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

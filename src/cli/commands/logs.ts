import process from "node:process";
import { findTask, type LogLine, logLines } from "../../compose/looking-back.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { isSaid } from "../log-level.ts";
import type { CliContext } from "../output.ts";
import { terminalWidth } from "../render/columns.ts";
import { warner } from "../render/progress.ts";
import { type LogStyle, logText } from "../render/raw-log.ts";
import { unfitFlag } from "../run-flags.ts";

interface LogsOptions {
  project: string;
  follow?: boolean;
  iteration?: string;
  json?: boolean;
}

export async function logsCommand(
  given: string | undefined,
  options: LogsOptions,
  { texts, output }: CliContext,
): Promise<void> {
  const { project, follow = false, json } = options;
  const id = await findTask(project, given);
  const style: LogStyle = { texts, paint: output.paint, width: terminalWidth() };
  let speaker: string | undefined;
  const request = { project, id, iteration: iterationOf(options, texts), follow, report: warner({ texts, output }) };
  for await (const entry of logLines(request)) {
    if (process.stdout.destroyed) return; // the reader has gone away
    if (speaker === undefined && isSaid("info")) output.progress(output.paint("dim", sourceOf(entry, texts)));
    const heading = headingOf(entry, texts);
    if (!json && heading !== speaker) output.result(output.paint("bold", heading));
    speaker = heading;
    for (const text of json ? [asJson(entry)] : logText(entry, style)) output.result(text);
  }
}

function sourceOf(entry: LogLine, { logs }: Texts): string {
  return "line" in entry ? logs.fromRaw : logs.fromEvents;
}

function headingOf({ iteration, role }: LogLine, { logs, spender }: Texts): string {
  return iteration === 0 ? spender[role] : logs.heading(iteration, spender[role]);
}

function asJson(entry: LogLine): string {
  return "line" in entry ? entry.line : JSON.stringify(entry.envelope);
}

function iterationOf({ iteration }: LogsOptions, texts: Texts): number | undefined {
  if (iteration === undefined) return undefined;
  if (/^\d{1,6}$/.test(iteration)) return Number(iteration);
  throw unfitFlag({ flag: "--iteration", command: "logs" }, iteration, texts.values.iteration);
}

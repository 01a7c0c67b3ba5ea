import process from "node:process";
import { findTask, rawLogLines } from "../../compose/looking-back.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { terminalWidth } from "../render/columns.ts";
import { warner } from "../render/progress.ts";
import { rawLogText } from "../render/raw-log.ts";
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
  const style = { texts, paint: output.paint, width: terminalWidth() };
  let speaker = "";
  const request = { project, id, iteration: iterationOf(options, texts), follow, report: warner({ texts, output }) };
  for await (const { iteration, role, line } of rawLogLines(request)) {
    if (process.stdout.destroyed) return; // the reader has gone away
    const heading = iteration === 0 ? texts.spender[role] : texts.logs.heading(iteration, texts.spender[role]);
    if (!json && heading !== speaker) output.result(output.paint("bold", heading));
    speaker = heading;
    for (const text of json ? [line] : rawLogText(line, style)) output.result(text);
  }
}

function iterationOf({ iteration }: LogsOptions, texts: Texts): number | undefined {
  if (iteration === undefined) return undefined;
  if (/^\d{1,6}$/.test(iteration)) return Number(iteration);
  throw unfitFlag({ flag: "--iteration", command: "logs" }, iteration, texts.values.iteration);
}

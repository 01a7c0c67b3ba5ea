import process from "node:process";
import { latestTask, rawLogLines } from "../../compose/looking-back.ts";
import { E8Error } from "../../model/errors.ts";
import { unfit } from "../../model/flag-value.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../context.ts";
import { terminalWidth } from "../render/columns.ts";
import { warner } from "../render/progress.ts";
import { rawLogText } from "../render/raw-log.ts";

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
  const id = given ?? (await latestTask(project));
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
  if (!/^\d{1,6}$/.test(iteration)) {
    const problem = unfit(iteration, texts.values.iteration);
    throw new E8Error("flag_invalid", { flag: "--iteration", problem, command: "logs" });
  }
  return Number(iteration);
}

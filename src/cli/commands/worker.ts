import process from "node:process";
import { allowanceIn } from "../../compose/fleet/allowance.ts";
import { workForFleet } from "../../compose/fleet/worker.ts";
import { E8Error } from "../../model/errors.ts";
import type { WorkerEvent } from "../../model/fleet.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";
import { workerLines } from "../render/fleet.ts";
import { progressOptions } from "../render/progress.ts";
import { type FlagPlace, unfitFlag } from "../run-flags.ts";

export interface WorkerFlags {
  project: string;
  concurrency: string;
  label: string[];
  repo: string[];
  allow?: string;
  allowCommand: string[];
  name?: string;
  drainTime: string;
  samePlace?: boolean;
  jsonEvents?: boolean;
}

/** The project itself, among repositories. */
const HERE = ".";

/** `e8 worker` */
export async function workerCommand(flags: WorkerFlags, context: CliContext): Promise<void> {
  const repositories = flags.repo.filter((one) => one !== HERE);
  const allowance = await allowanceIn(flags.allow, { repositories, commands: flags.allowCommand });
  const isHere = repositories.length < flags.repo.length || allowance.repositories.length === 0;
  const request = {
    ...{ allowance, inDirectory: isHere },
    ...{ project: flags.project, name: flags.name, labels: labelsIn(flags.label, context) },
    ...{ slots: countIn("--concurrency", flags.concurrency, context), samePlace: flags.samePlace ?? false },
  };
  const seconds = countIn("--drain-time", flags.drainTime, context);
  const { release, ...signals } = listenForDrain(seconds);
  const show = flags.jsonEvents ? jsonLine : textLine;
  try {
    const options = { ...signals, environment: process.env, language: context.texts.language };
    for await (const event of workForFleet(request, options)) show(event, context);
  } finally {
    release();
  }
}

function jsonLine(event: WorkerEvent, { output }: CliContext): void {
  output.result(JSON.stringify(event));
}

function textLine(event: WorkerEvent, { texts, output }: CliContext): void {
  const style = { texts, paint: output.paint, ...progressOptions({}) };
  for (const line of workerLines(event, style)) output.progress(line);
}

function countIn(flag: string, text: string, { texts }: CliContext): number {
  const at: FlagPlace = { flag, command: "worker" };
  if (!/^[1-9]\d{0,3}$/.test(text)) throw unfitFlag(at, text, texts.values.between(1, 9_999));
  return Number(text);
}

/** Labels are words, so that they can stand in lists and names. */
export function labelsIn(labels: readonly string[], { texts }: CliContext): string[] {
  const unfit = labels.find((label) => !/^[\w.-]{1,40}$/.test(label));
  if (unfit !== undefined) throw new E8Error("flag_invalid", { flag: "--label", problem: texts.fleet.labelForm });
  return [...labels];
}

/**
 * The first SIGTERM or Ctrl-C lets the iterations in hand end, for so many seconds; the second gives them up; the third leaves without
 * waiting for anything.
 */
function listenForDrain(seconds: number) {
  const [drain, stop, hurry] = [new AbortController(), new AbortController(), new AbortController()];
  let timer: NodeJS.Timeout | undefined;
  const asked = () => {
    if (hurry.signal.aborted) process.exit(EXIT_ERROR);
    if (drain.signal.aborted) {
      stop.abort();
      hurry.abort();
    }
    drain.abort();
    timer ??= setTimeout(() => stop.abort(), seconds * 1000);
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.on(name, asked);
  const release = () => {
    clearTimeout(timer);
    for (const name of names) process.off(name, asked);
  };
  return { drain: drain.signal, stop: stop.signal, hurry: hurry.signal, release };
}

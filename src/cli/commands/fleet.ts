import { initFleet, standingOfFleet } from "../../compose/fleet/look.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { byteCount, knownCost, localTime } from "../render/amounts.ts";
import { table } from "../render/columns.ts";
import { faultWords } from "../render/fleet.ts";

type Initialized = Awaited<ReturnType<typeof initFleet>>;
type Standing = Awaited<ReturnType<typeof standingOfFleet>>;

/** `e8 fleet init` */
export async function fleetInitCommand(
  url: string,
  { json }: { json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const done = await initFleet(url);
  if (json) return output.json(done);
  output.result(whatWasDone(done, texts));
  const missing = ROLES.map((kind) => `${done.schema}_${kind}`).filter((role) => !done.roles.includes(role));
  output.progress(
    missing.length === 0 ? texts.fleet.roles(done.roles.join(", ")) : texts.fleet.rolesMissing(missing.join(", ")),
  );
  if (!done.has_line) output.progress(texts.fleet.lineMissing);
}

const ROLES = ["reader", "submitter", "worker"];

function whatWasDone({ store, before, now }: Initialized, { fleet }: Texts): string {
  if (before === 0) return fleet.made(store, now);
  return before === now ? fleet.asItWas(store, now) : fleet.brought(store, before, now);
}

/** `e8 fleet status` */
export async function fleetStatusCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const standing = await standingOfFleet(project);
  if (json) return output.json(standing);
  output.result(`${output.paint("bold", standing.store)}  ${texts.fleet.size(byteCount(standing.bytes))}`);
  if (standing.projects.length === 0) return output.progress(texts.fleet.empty);
  for (const line of projectLines(standing, texts)) output.result(line);
  const parts = [
    standing.workers.length > 0 && workerLines(standing, texts),
    standing.held.length > 0 && heldLines(standing, texts),
    standing.postponed.length > 0 && postponedLines(standing, texts),
  ];
  for (const lines of parts) {
    if (!lines) continue;
    output.result("");
    for (const line of lines) output.result(line);
  }
}

function projectLines({ projects }: Standing, { fleet }: Texts): string[] {
  const rows = projects.map(({ project, tasks, running, queued, oldest, lapsed, completed, cost_today }) => [
    project,
    ...[tasks, running, queued].map(String),
    oldest === null ? "" : localTime(oldest),
    ...[lapsed, completed].map(String),
    knownCost(cost_today)[0] ?? "-",
  ]);
  return table([fleet.projectColumns, ...rows]);
}

function heldLines({ held }: Standing, { fleet }: Texts): string[] {
  const rows = held.map(({ task_id, project, host, pid, since, lease_left, is_paused }) => [
    ...[task_id, project, `${host}:${pid}`, since],
    lease_left < 0 ? fleet.lapsed : is_paused ? fleet.paused : `${lease_left} s`,
  ]);
  return table([fleet.heldColumns, ...rows]);
}

function postponedLines({ postponed }: Standing, texts: Texts): string[] {
  const rows = postponed.map((one) => [
    one.task_id,
    localTime(new Date(one.again_at).toISOString()),
    faultWords(one, texts),
  ]);
  return table([texts.fleet.postponedColumns, ...rows]);
}

function workerLines({ workers }: Standing, { fleet }: Texts): string[] {
  const rows = workers.map(({ name, host, labels, projects, slots, running, is_draining, seen }) => [
    ...[name, host, labels.join(", "), projects.join(", "), `${running.length}/${slots}`, fleet.ago(seen)],
    [...(is_draining ? [fleet.leaving] : []), ...running.flatMap((slot) => waitingWords(slot, fleet))].join(", "),
  ]);
  return table([fleet.workerColumns, ...rows]);
}

function waitingWords({ task_id, waits_until }: Standing["workers"][number]["running"][number], fleet: Texts["fleet"]) {
  return waits_until === undefined ? [] : [fleet.waits(task_id, localTime(new Date(waits_until).toISOString()))];
}

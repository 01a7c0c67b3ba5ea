import {
  type FleetLimit,
  LIMIT_KINDS,
  limitsOfFleet,
  removeFleetLimit,
  setFleetLimit,
} from "../../compose/fleet/limits.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { dollars } from "../render/amounts.ts";
import { table } from "../render/columns.ts";
import { chosenFlag, unfitFlag } from "../run-flags.ts";

interface LimitFlags {
  project: string;
  atOnce?: string;
  perDay?: string;
  inAll?: string;
  reserve?: string;
  off?: boolean;
  json?: boolean;
}

type Named = Partial<Record<"kind" | "name", string>>;

/** `e8 fleet limit` */
export async function fleetLimitCommand(named: Named, flags: LimitFlags, context: CliContext): Promise<void> {
  const { project, json } = flags;
  const { output, texts } = context;
  if (named.kind !== undefined) await change(named, flags, context);
  const standing = await limitsOfFleet(project);
  if (json) return output.json(standing);
  const { limits, closed } = standing;
  if (limits.length === 0) output.progress(texts.fleet.noLimits);
  else for (const line of limitLines(limits, texts)) output.result(line);
  for (const { account, until } of closed) output.result(texts.fleet.accountClosed(account, until));
}

async function change({ kind, name }: Named, flags: LimitFlags, context: CliContext): Promise<void> {
  const { project, off } = flags;
  const place = { command: "fleet limit" };
  const chosen = chosenFlag({ flag: "kind", ...place }, kind ?? "", LIMIT_KINDS);
  if (name === undefined) throw unfitFlag({ flag: "name", ...place }, "", context.texts.fleet.limitNameMissing);
  if (off) return void (await removeFleetLimit(project, { kind: chosen, name }));
  await setFleetLimit(project, { kind: chosen, name, ...amountsIn(flags, context) });
}

function amountsIn(flags: LimitFlags, { texts }: CliContext): Omit<FleetLimit, "kind" | "name"> {
  const amount = (flag: string, typed: string | undefined, isWhole: boolean) => {
    if (typed === undefined) return null;
    const value = Number(typed);
    if (typed.trim() !== "" && value >= 0 && (!isWhole || Number.isInteger(value))) return value;
    throw unfitFlag({ flag, command: "fleet limit" }, typed, texts.fleet.limitAmount);
  };
  return {
    at_once: amount("--at-once", flags.atOnce, true),
    per_day: amount("--per-day", flags.perDay, false),
    in_all: amount("--in-all", flags.inAll, false),
    reserve: amount("--reserve", flags.reserve, false) || null,
  };
}

function limitLines(limits: Awaited<ReturnType<typeof limitsOfFleet>>["limits"], { fleet }: Texts): string[] {
  const money = (spent: number, limit: number | null) =>
    limit === null ? "-" : `${dollars(spent)} / ${dollars(limit)}`;
  const rows = limits.map(({ kind, name, at_once, per_day, in_all, busy, today, ever }) => [
    ...[kind, name, at_once === null ? "-" : `${busy} / ${at_once}`],
    ...[money(today, per_day), money(ever, in_all)],
  ]);
  return table([fleet.limitColumns, ...rows]);
}

import type { Digests } from "../../model/digests.ts";
import type { RunContext } from "../run-context.ts";
import { scriptsOfChecks } from "./check-scripts.ts";

/**
 * What checks find outside the project differs from machine to machine. So the comparison begins anew on each, before a worker has worked
 * there, and goes on with what was known of a machine that had the task before.
 */
export async function compareOnThisMachine(context: RunContext, checks: readonly string[]): Promise<void> {
  const { machine, store, commands } = context.ports;
  if (!machine) return;
  const { toolchain, model_settings, machine: last, tools = {} } = store.task;
  const known = last === undefined ? tools : { ...tools, [last]: { toolchain, model_settings } };
  const mine = known[machine.name];
  const anew = (now: Digests, before: Digests = {}) => ({ ...now, ...outside(before, machine.places) });
  await store.save({
    machine: machine.name,
    tools: known,
    ...(toolchain && {
      toolchain: anew(await commands.toolchain(await scriptsOfChecks(context, checks)), mine?.toolchain),
    }),
    ...(model_settings && { model_settings: anew(await commands.modelSettings(), mine?.model_settings) }),
  });
}

/** Each checkout lies elsewhere. */
function outside(digests: Digests, places: string): Digests {
  return Object.fromEntries(Object.entries(digests).filter(([path]) => !path.startsWith(`${places}/`)));
}

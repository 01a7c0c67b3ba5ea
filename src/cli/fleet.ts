import { type Command, Option } from "commander";
import { DEFAULTS } from "../model/limits.ts";
import type { CliContext } from "./output.ts";
import { addGoalFlags, addPlace, addRunFlags, collect } from "./run-flags.ts";

/** Declares the commands about a store that several machines share. */
export function declareFleet(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const fleet = program.command("fleet").description(help.fleet).helpCommand("help [command]", usage.helpCommand);
  fleet
    .command("init")
    .argument("<url>", help.fleetInitUrl)
    .description(help.fleetInit)
    .option("--json", help.json)
    .action(async (url, options) => (await import("./commands/fleet.ts")).fleetInitCommand(url, options, context));
  addPlace(fleet.command("status"), context)
    .description(help.fleetStatus)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/fleet.ts")).fleetStatusCommand(options, context));
  addPlace(fleet.command("limit"), context)
    .argument("[kind]", help.limitKind)
    .argument("[name]", help.limitName)
    .description(help.fleetLimit)
    .option("--at-once <n>", help.limitAtOnce)
    .option("--per-day <usd>", help.limitPerDay)
    .option("--in-all <usd>", help.limitInAll)
    .option("--reserve <usd>", help.limitReserve)
    .option("--off", help.limitOff)
    .option("--json", help.json)
    .action(async (kind, name, options) =>
      (await import("./commands/fleet-limit.ts")).fleetLimitCommand({ kind, name }, options, context),
    );
  declareWork(program, context);
  for (const direction of ["export", "import"] as const)
    addPlace(program.command(direction), context)
      .argument("[ids...]", help.transferIds)
      .description(help[direction])
      .option("--move", help.move)
      .option("--json", help.json)
      .action(async (ids, options) =>
        (await import("./commands/transfer.ts")).transferCommand(direction, ids, { options, context }),
      );
}

/** Who gives tasks to the fleet, and who works on them. */
function declareWork(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("worker"), context)
    .description(help.worker)
    .addOption(new Option("--concurrency <n>", help.concurrency).default("1"))
    .option("--label <label>", help.workerLabel, collect, [])
    .option("--repo <url>", help.repo, collect, [])
    .option("--allow <file>", help.allow)
    .option("--allow-command <command>", help.allowCommand, collect, [])
    .option("--name <name>", help.workerName)
    .addOption(new Option("--drain-time <seconds>", help.drainTime).default("20"))
    .option("--same-place", help.workerSamePlace)
    .option("--json-events", help.jsonEvents)
    .action(async (options) => (await import("./commands/worker.ts")).workerCommand(options, context));
  const submit = addRunFlags(addPlace(program.command("submit"), context), context, DEFAULTS.max_iterations)
    .description(help.submit)
    .argument("[task]", help.submitTask);
  const criteria = addGoalFlags(submit, context);
  submit
    .option("--config <file>", help.config)
    .option("--label <label>", help.submitLabel, collect, [])
    .option("--repo <url>", help.submitRepo)
    .option("--priority <priority>", help.priority)
    .option("--resume <id>", help.submitResume)
    .action(async (task, options) =>
      (await import("./commands/submit.ts")).submitCommand(task, { ...options, criteria }, context),
    );
}

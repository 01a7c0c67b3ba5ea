import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { addPlace } from "./run-flags.ts";

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

import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { addPlace, collect } from "./run-flags.ts";

/** Declares the commands through which other programs use e8. */
export function declareDoors(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("mcp"), context)
    .description(help.mcp)
    .option("--http", help.mcpHttp)
    .option("--port <number>", help.mcpPort)
    .option("--root <directory>", help.mcpRoot, collect, [])
    .action(async (options) => (await import("./commands/mcp.ts")).mcpCommand(options, context));
}

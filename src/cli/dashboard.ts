import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { collectAny } from "./run-flags.ts";

/** `e8 dashboard` */
export function declareDashboard(program: Command, context: CliContext): void {
  const { help } = context.texts;
  program
    .command("dashboard")
    .description(help.dashboard)
    .option("-p, --project <directory>", help.dashboardProject, collectAny)
    .option("--store <url>", help.store)
    .option("--port <number>", help.port)
    .option("--host <address>", help.host)
    .option("--no-open", help.noOpen)
    .option("--read-only", help.readOnly)
    .action(async (options) => (await import("./commands/dashboard.ts")).dashboardCommand(options, context));
}

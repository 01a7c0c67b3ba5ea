import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { addPlace, collectAny } from "./run-flags.ts";

/** `e8 dashboard`, and `e8 report`: the same page as a file. */
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
  addPlace(program.command("report"), context)
    .argument("[id]", help.latestIdArgument)
    .description(help.report)
    .option("-o, --output <file>", help.reportOutput)
    .option("--md", help.reportMarkdown)
    .action(async (id, options) => (await import("./commands/report.ts")).reportCommand(id, options, context));
}

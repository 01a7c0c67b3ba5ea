import type { Command } from "commander";
import type { CliContext } from "./context.ts";
import type { AddProject } from "./declaring.ts";
import { declareKnowledge } from "./knowledge-program.ts";

/** Declares the commands that show what has happened. None of them changes a task. */
export function declareLookingBack(program: Command, context: CliContext, addProject: AddProject): void {
  const { help } = context.texts;
  addProject(program.command("list"))
    .description(help.list)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/list.ts")).listCommand(options, context));
  addProject(program.command("show"))
    .argument("[id]", help.latestIdArgument)
    .description(help.show)
    .option("--json", help.json)
    .action(async (id, options) => (await import("./commands/show.ts")).showCommand(id, options, context));
  addProject(program.command("logs"))
    .argument("[id]", help.latestIdArgument)
    .description(help.logs)
    .option("-f, --follow", help.follow)
    .option("--iteration <number>", help.iteration)
    .option("--json", help.jsonLines)
    .action(async (id, options) => (await import("./commands/logs.ts")).logsCommand(id, options, context));
  addProject(program.command("query"))
    .argument("[sql]", help.sqlArgument)
    .description(help.query)
    .option("--json", help.json)
    .option("--csv", help.csv)
    .action(async (sql, options) => (await import("./commands/query.ts")).queryCommand(sql, options, context));
  declareKnowledge(program, context, addProject);
}

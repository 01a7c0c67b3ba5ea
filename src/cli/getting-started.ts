import type { Command } from "commander";
import type { CliContext } from "./context.ts";
import { type AddProject, collect } from "./declaring.ts";

/** What one needs before the first run. */
export function declareGettingStarted(program: Command, context: CliContext, addProject: AddProject): void {
  const { help } = context.texts;
  addProject(program.command("init"))
    .description(help.init)
    .argument("[file]", help.initFile, "task.yaml")
    .option("--task <text>", help.initTask)
    .option("-c, --criteria <text>", help.criteria, collect, [])
    .option("--check <command>", help.check, collect, [])
    .option("-n, --max-iterations <n>", help.maxIterations)
    .option("--max-cost <usd>", help.maxCost)
    .option("--force", help.force)
    .action(async (file, options) => (await import("./commands/init.ts")).initCommand(file, options, context));
  addProject(program.command("doctor"))
    .description(help.doctor)
    .option("--config <file>", help.doctorConfig)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/doctor.ts")).doctorCommand(options, context));
  program
    .command("completion")
    .description(help.completion)
    .argument("<shell>", help.shell)
    .action(async (shell) => (await import("./commands/completion.ts")).completionCommand(shell, program, context));
}

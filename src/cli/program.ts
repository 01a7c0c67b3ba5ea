import process from "node:process";
import { Command } from "commander";
import { packageVersion } from "../compose/version.ts";
import { LANGUAGES } from "../model/language.ts";
import { DEFAULTS } from "../model/limits.ts";
import { declareCompare, declareIssues, declareLabels, declareOrchestrate, declareStatus } from "./backlog.ts";
import { declareDashboard } from "./dashboard.ts";
import { declareDoors } from "./doors.ts";
import { refuseEmptyValues } from "./empty-values.ts";
import { EXIT_ERROR } from "./exit-codes.ts";
import { declareFleet } from "./fleet.ts";
import { requireLogLevel } from "./log-level.ts";
import type { CliContext } from "./output.ts";
import {
  addGoalFlags,
  addPlace,
  addProject,
  addRunFlags,
  chooseProject,
  chosenFlag,
  collect,
  iterationsOption,
  openStore,
  preset,
} from "./run-flags.ts";
import { refuseCommand, speak } from "./speech.ts";
import { declareSteering } from "./steering.ts";
import { declareAgents, declareLookingBack, declareRemoval, declareSnapshots } from "./subcommands.ts";

/** Declares the commands. Each one's code is loaded when it is called, so that `--help` loads nothing heavy. */
export function buildProgram(context: CliContext): Command {
  const { help, usage } = context.texts;
  const program = speak(new Command("e8"), context.texts)
    .description(help.description)
    .version(packageVersion(), "--version", usage.version)
    .addOption(preset("--lang <language>", help.lang, usage.ofLocale).argParser(knownLanguage))
    .helpCommand(false)
    .hook("preAction", requireLogLevel)
    .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : EXIT_ERROR))
    .hook("preAction", (_, command) => chooseProject(command, context))
    .hook("preAction", (_, command) => openStore(command));
  declareRun(program, context);
  declareLookingBack(program, context);
  declareSteering(program, context);
  declareSnapshots(program, context);
  declareFork(program, context);
  declareRemoval(program, context);
  declareFleet(program, context);
  declareDoors(program, context);
  declareGettingStarted(program, context);
  declareAgents(program, context);
  declareIssues(program, context);
  declareLabels(program, context);
  declareOrchestrate(program, context);
  declareCompare(program, context);
  declareStatus(program, context);
  declareDashboard(program, context);
  program
    .command("help")
    .argument("[command...]", help.commandArgument)
    .description(usage.helpCommand)
    .action((names) => helpOn(program, names));
  refuseEmptyValues(program);
  return program;
}

function declareRun(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const command = addRunFlags(addPlace(program.command("run"), context), context, DEFAULTS.max_iterations)
    .description(help.run)
    .argument("[task]", help.taskArgument);
  const criteria = addGoalFlags(command, context);
  command
    .option("--config <file>", help.config)
    .option("--resume [id]", help.resume)
    .option("--fresh", help.fresh)
    .option("--script <story>", help.script)
    .option("--dry-run", help.dryRun)
    .addHelpText("after", `\n${usage.examples}\n${help.runExamples.map((example) => `  ${example}`).join("\n")}`)
    .action(async (task, options) =>
      (await import("./commands/run.ts")).runCommand(task, { ...options, criteria }, context),
    );
}

function declareFork(program: Command, context: CliContext): void {
  const { help } = context.texts;
  const command = addRunFlags(addPlace(program.command("fork"), context), context)
    .description(help.fork)
    .argument("<id>", help.idArgument)
    .argument("[task]", help.forkTask)
    .requiredOption("--from <iteration>", help.forkFrom);
  const criteria = addGoalFlags(command, context);
  command.action(async (id, task, options) =>
    (await import("./commands/fork.ts")).forkCommand(id, task, { ...options, criteria }, context),
  );
}

/** What one needs before the first run. */
function declareGettingStarted(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  addProject(program.command("init"), context)
    .description(help.init)
    .argument("[file]", help.initFile, "task.yaml")
    .option("--task <text>", help.initTask)
    .option("-c, --criteria <text>", help.criteria, collect, [])
    .option("--check <command>", help.check, collect, [])
    .addOption(iterationsOption(context.texts, DEFAULTS.max_iterations))
    .addOption(preset("--max-cost <usd>", help.maxCost, usage.noLimit))
    .option("--force", help.force)
    .action(async (file, options) => (await import("./commands/init.ts")).initCommand(file, options, context));
  program
    .command("demo")
    .description(help.demo)
    .option("--backlog", help.demoBacklog)
    .option("--dashboard", help.demoDashboard)
    .option("--no-open", help.noOpen)
    .option("-V, --verbose", help.verbose)
    .option("--plain", help.plain)
    .option("--json", help.json)
    .action(async ({ backlog, ...options }) =>
      backlog
        ? (await import("./commands/demo-backlog.ts")).demoBacklogCommand(options, context)
        : (await import("./commands/demo.ts")).demoCommand(options, context),
    );
  addProject(program.command("doctor"), context)
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

/** The parser's own help command shows another command's help when the named one does not exist. */
function helpOn(command: Command, [name, ...names]: readonly string[]): never {
  if (name === undefined) return command.help();
  const found = command.commands.find((one) => one.name() === name);
  return found ? helpOn(found, names) : refuseCommand(command, name);
}

/** The language was chosen before parsing (`chooseTexts`); here an unknown one is refused. */
function knownLanguage(language: string): string {
  return chosenFlag({ flag: "--lang", command: "" }, language, LANGUAGES);
}

import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { addPlace, addProject, collect } from "./run-flags.ts";

/** Declares the commands that show what has happened. None of them changes a task. */
export function declareLookingBack(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("list"), context)
    .description(help.list)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/list.ts")).listCommand(options, context));
  addPlace(program.command("show"), context)
    .argument("[id]", help.latestIdArgument)
    .description(help.show)
    .option("--proof", help.showProof)
    .option("--json", help.json)
    .action(async (id, options) => (await import("./commands/show.ts")).showCommand(id, options, context));
  addPlace(program.command("logs"), context)
    .argument("[id]", help.latestIdArgument)
    .description(help.logs)
    .option("-f, --follow", help.follow)
    .option("--iteration <number>", help.iteration)
    .option("--json", help.jsonLines)
    .action(async (id, options) => (await import("./commands/logs.ts")).logsCommand(id, options, context));
  addPlace(program.command("query"), context)
    .argument("[sql]", help.sqlArgument)
    .description(help.query)
    .option("--json", help.json)
    .option("--csv", help.csv)
    .action(async (sql, options) => (await import("./commands/query.ts")).queryCommand(sql, options, context));
  declareKnowledge(program, context);
}

function declareKnowledge(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const knowledge = program
    .command("knowledge")
    .description(help.knowledge)
    .helpCommand("help [command]", usage.helpCommand);
  addFilters(addPlace(knowledge.command("list", { isDefault: true }), context), context)
    .description(help.knowledgeList)
    .option("--json", help.json)
    .action(async (options) => (await load()).knowledgeListCommand(options, context));
  addPlace(knowledge.command("add"), context)
    .argument("<content>", help.content)
    .description(help.knowledgeAdd)
    .option("--type <type>", help.knowledgeType, "discovery")
    .option("--category <category>", help.category, "general")
    .option("--confidence <level>", help.confidence, "medium")
    .option("--example-file <file>", help.exampleFile)
    .option("--json", help.json)
    .action(async (content, options) => (await load()).knowledgeAddCommand(content, options, context));
  addFilters(addPlace(knowledge.command("search"), context), context)
    .argument("<text>", help.searchText)
    .description(help.knowledgeSearch)
    .option("-n, --limit <number>", help.limit, "10")
    .option("--json", help.json)
    .action(async (text, options) => (await load()).knowledgeSearchCommand(text, options, context));
  addFilters(addPlace(knowledge.command("export"), context), context)
    .description(help.knowledgeExport)
    .option("--format <format>", help.format, "markdown")
    .action(async (options) => (await load()).knowledgeExportCommand(options, context));
}

function load() {
  return import("./commands/knowledge.ts");
}

function addFilters(command: Command, { texts: { help } }: CliContext): Command {
  return command
    .option("--type <type>", help.knowledgeType)
    .option("--category <category>", help.category)
    .option("--min-confidence <level>", help.minimumConfidence)
    .option("--task <id>", help.ofTask);
}

/** What iterations changed, and the way back. */
export function declareSnapshots(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("diff"), context)
    .argument("[id]", help.latestIdArgument)
    .argument("[range]", help.diffRange)
    .description(help.diff)
    .option("--stat", help.diffStat)
    .option("--json", help.json)
    .action(async (id, range, options) =>
      (await import("./commands/diff.ts")).diffCommand([id, range], options, context),
    );
  addPlace(program.command("rollback"), context)
    .argument("[id]", help.latestIdArgument)
    .description(help.rollback)
    .requiredOption("--to <iteration>", help.rollbackTo)
    .option("--json", help.json)
    .action(async (id, options) => (await import("./commands/rollback.ts")).rollbackCommand(id, options, context));
  addPlace(program.command("clean"), context)
    .description(help.clean)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/rollback.ts")).cleanCommand(options, context));
}

/** `e8 rm` and `e8 prune`. */
export function declareRemoval(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addConfirmation(addPlace(program.command("rm"), context), context)
    .argument("<ids...>", help.idArgument)
    .description(help.rm)
    .action(async (ids, options) => (await import("./commands/remove.ts")).removeCommand(ids, options, context));
  addConfirmation(addPlace(program.command("prune"), context), context)
    .description(help.prune)
    .requiredOption("--older-than <age>", help.olderThan)
    .option("--status <status>", help.onlyStatus, collect, [])
    .action(async (options) => (await import("./commands/remove.ts")).pruneCommand(options, context));
}

function addConfirmation(command: Command, { texts: { help } }: CliContext): Command {
  return command.option("-y, --yes", help.yes).option("--dry-run", help.removeDryRun).option("--json", help.json);
}

/** `e8 agent …`: agents made of steps. */
export function declareAgents(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const agent = program.command("agent").description(help.agent).helpCommand("help [command]", usage.helpCommand);
  addProject(agent.command("list"), context)
    .description(help.agentList)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/agents.ts")).agentListCommand(options, context));
  addProject(agent.command("show"), context)
    .description(help.agentShow)
    .argument("<name>", help.agentName)
    .option("--json", help.json)
    .action(async (name, options) => (await import("./commands/agents.ts")).agentShowCommand(name, options, context));
  addProject(agent.command("validate"), context)
    .description(help.agentValidate)
    .argument("[names...]", help.agentName)
    .option("--json", help.json)
    .option("--graph <form>", help.graph)
    .action(async (names, options) =>
      (await import("./commands/agent-validate.ts")).agentValidateCommand(names, options, context),
    );
  addProject(agent.command("init"), context)
    .description(help.agentInit)
    .argument("<name>", help.agentName)
    .option("--from <template>", help.agentFrom, "single-step")
    .action(async (name, options) => (await import("./commands/agents.ts")).agentInitCommand(name, options, context));
  agent
    .command("run")
    .description(help.agentRun)
    .argument("[name]", help.agentName)
    .helpOption(false) // the agent's own parameters belong into the help, so it is given once the agent is known
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_name, _options, command: Command) =>
      (await import("./commands/agent-run.ts")).agentRunCommand(command.args, context),
    );
}

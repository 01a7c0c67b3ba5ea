import type { Command } from "commander";
import type { CliContext } from "./context.ts";
import type { AddProject } from "./declaring.ts";

export function declareKnowledge(program: Command, context: CliContext, addProject: AddProject): void {
  const { help, usage } = context.texts;
  const knowledge = program
    .command("knowledge")
    .description(help.knowledge)
    .helpCommand("help [command]", usage.helpCommand);
  addFilters(addProject(knowledge.command("list", { isDefault: true })), context)
    .description(help.knowledgeList)
    .option("--json", help.json)
    .action(async (options) => (await load()).knowledgeListCommand(options, context));
  addProject(knowledge.command("add"))
    .argument("<content>", help.content)
    .description(help.knowledgeAdd)
    .requiredOption("--type <type>", help.knowledgeType)
    .requiredOption("--category <category>", help.category)
    .option("--confidence <level>", help.confidence, "medium")
    .option("--example-file <file>", help.exampleFile)
    .option("--json", help.json)
    .action(async (content, options) => (await load()).knowledgeAddCommand(content, options, context));
  addFilters(addProject(knowledge.command("search")), context)
    .argument("<text>", help.searchText)
    .description(help.knowledgeSearch)
    .option("-n, --limit <number>", help.limit, "10")
    .option("--json", help.json)
    .action(async (text, options) => (await load()).knowledgeSearchCommand(text, options, context));
  addFilters(addProject(knowledge.command("export")), context)
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

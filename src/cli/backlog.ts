import type { Command } from "commander";
import { DEFAULTS } from "../model/limits.ts";
import type { CliContext } from "./output.ts";
import { addCommonFlags, addGoalFlags, addPlace, addProject, addRunFlags, collect } from "./run-flags.ts";

/** `e8 issues …`: the backlog of the project's tracker. */
export function declareIssues(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const issues = program.command("issues").description(help.issues).helpCommand("help [command]", usage.helpCommand);
  addProject(issues.command("list", { isDefault: true }), context)
    .description(help.issuesList)
    .option("--label <label>", help.issueLabel, collect, [])
    .option("--state <state>", help.issueState, "open")
    .option("-n, --limit <number>", help.issueLimit, "30")
    .option("--json", help.json)
    .action(async (options) => (await load()).issuesListCommand(options, context));
  addProject(issues.command("add"), context)
    .argument("<title>", help.issueTitle)
    .description(help.issuesAdd)
    .option("-b, --body <text>", help.issueBody, "")
    .option("-c, --criteria <text>", help.criteria, collect, [])
    .option("--check <command>", help.check, collect, [])
    .option("--label <label>", help.issueAddLabel, collect, [])
    .option("--priority <word>", help.issuePriority)
    .option("--blocked-by <number>", help.issueBlockedBy, collect, [])
    .option("--base <branch>", help.issueBase)
    .option("--json", help.json)
    .action(async (title, options) => (await load()).issuesAddCommand(title, options, context));
  addProject(issues.command("show"), context)
    .argument("<number>", help.issueNumber)
    .description(help.issuesShow)
    .option("--json", help.json)
    .action(async (number, options) => (await load()).issuesShowCommand(number, options, context));
  addProject(issues.command("close"), context)
    .argument("<number>", help.issueNumber)
    .description(help.issuesClose)
    .action(async (number, options) => (await load()).issuesCloseCommand(number, options, context));
}

/** `e8 labels sync`. */
export function declareLabels(program: Command, context: CliContext): void {
  const { help, usage } = context.texts;
  const labels = program.command("labels").description(help.labels).helpCommand("help [command]", usage.helpCommand);
  addProject(labels.command("sync"), context)
    .description(help.labelsSync)
    .option("--dry-run", help.labelsDryRun)
    .option("--json", help.json)
    .action(async (options) => (await load()).labelsSyncCommand(options, context));
}

/** `e8 orchestrate`. */
export function declareOrchestrate(program: Command, context: CliContext): void {
  const { help } = context.texts;
  const command = addRunFlags(addPlace(program.command("orchestrate"), context), context, DEFAULTS.max_iterations)
    .description(help.orchestrate)
    .option("--worker-label <label>", help.orchestrateWorkerLabel, collect, [])
    .option("--label <label>", help.orchestrateLabel, collect, [])
    .option("--issue <number>", help.orchestrateIssue, collect, [])
    .option("--limit <number>", help.orchestrateLimit)
    .option("--parallel <number>", help.parallel, "1")
    .option("--watch <interval>", help.watchIssues)
    .option("--resume", help.orchestrateResume)
    .option("--dry-run", help.orchestrateDryRun);
  const criteria = addGoalFlags(command, context);
  command.action(async (options) =>
    (await import("./commands/orchestrate.ts")).orchestrateCommand({ ...options, criteria }, context),
  );
}

/** `e8 compare`. */
export function declareCompare(program: Command, context: CliContext): void {
  const { help } = context.texts;
  const command = addCommonFlags(addProject(program.command("compare"), context), context, DEFAULTS.max_iterations)
    .description(help.compare)
    .argument("[what]", help.compareWhat)
    .option("--config <file>", help.config)
    .option("--parallel [number]", help.compareParallel)
    .option("--keep <which>", help.compareKeep)
    .option("--others <what>", help.compareOthers, "remove")
    .option("--resume", help.compareResume)
    .option("--dry-run", help.compareDryRun);
  repeatAgent(command, context);
  const criteria = addGoalFlags(command, context);
  command.action(async (what, options) =>
    (await import("./commands/compare.ts")).compareCommand(what, { ...options, criteria }, context),
  );
}

/** Elsewhere there is one agent. */
function repeatAgent(command: Command, { texts: { help } }: CliContext): void {
  const option = command.options.find(({ long }) => long === "--agent");
  if (!option) return;
  option.description = help.compareAgent;
  Reflect.deleteProperty(option, "defaultValueDescription");
  option.argParser((agent: string, before: string[] | undefined) => [...(before ?? []), agent]);
}

/** `e8 status`. */
export function declareStatus(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("status"), context)
    .description(help.status)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/status.ts")).statusCommand(options, context));
}

function load() {
  return import("./commands/issues.ts");
}

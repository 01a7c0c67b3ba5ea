import type { Command } from "commander";
import type { CliContext } from "./context.ts";
import type { AddProject } from "./declaring.ts";

/** `e8 agent …`: agents made of steps. */
export function declareAgents(program: Command, context: CliContext, addProject: AddProject): void {
  const { help, usage } = context.texts;
  const agent = program.command("agent").description(help.agent).helpCommand("help [command]", usage.helpCommand);
  addProject(agent.command("list"))
    .description(help.agentList)
    .option("--json", help.json)
    .action(async (options) => (await import("./commands/agent-list.ts")).agentListCommand(options, context));
  addProject(agent.command("show"))
    .description(help.agentShow)
    .argument("<name>", help.agentName)
    .option("--json", help.json)
    .action(async (name, options) =>
      (await import("./commands/agent-show.ts")).agentShowCommand(name, options, context),
    );
  addProject(agent.command("validate"))
    .description(help.agentValidate)
    .argument("[names...]", help.agentName)
    .option("--json", help.json)
    .option("--graph <form>", help.graph)
    .action(async (names, options) =>
      (await import("./commands/agent-validate.ts")).agentValidateCommand(names, options, context),
    );
  addProject(agent.command("init"))
    .description(help.agentInit)
    .argument("<name>", help.agentName)
    .option("--from <template>", help.agentFrom, "single-step")
    .action(async (name, options) =>
      (await import("./commands/agent-init.ts")).agentInitCommand(name, options, context),
    );
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

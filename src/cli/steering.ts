import type { Command } from "commander";
import type { CliContext } from "./output.ts";
import { addPlace, addRunFlags, collect } from "./run-flags.ts";

/** Declares the commands that act on a task from outside, and the view of another process's run. */
export function declareSteering(program: Command, context: CliContext): void {
  const { help } = context.texts;
  addPlace(program.command("answer"), context)
    .argument("[id]", help.askingIdArgument)
    .description(help.answer)
    .option("-a, --answer <text>", help.answerOption, collect, [])
    .option("--same-place", help.samePlace)
    .option("-V, --verbose", help.verbose)
    .option("--plain", help.plain)
    .option("--json", help.json)
    .option("--json-events", help.jsonEvents)
    .action(async (id, options) => (await import("./commands/answer.ts")).answerCommand(id, options, context));
  addPlace(program.command("watch"), context)
    .argument("[id]", help.latestIdArgument)
    .description(help.watch)
    .option("--speed <times>", help.speed)
    .option("-V, --verbose", help.verbose)
    .option("--plain", help.plain)
    .option("--json-events", help.jsonEvents)
    .action(async (id, options) => (await import("./commands/watch.ts")).watchCommand(id, options, context));
  addPlace(program.command("cancel"), context)
    .argument("[id]", help.runningIdArgument)
    .description(help.cancel)
    .action(async (id, options) => (await import("./commands/cancel.ts")).cancelCommand(id, options, context));
  addPlace(program.command("tell"), context)
    .argument("[id]", help.runningIdArgument)
    .argument("[note]", help.noteArgument)
    .description(help.tell)
    .action(async (id, note, options) =>
      (await import("./commands/tell.ts")).tellCommand([id, note], options, context),
    );
  addPlace(program.command("pause"), context)
    .argument("[id]", help.runningIdArgument)
    .description(help.pause)
    .action(async (id, options) => (await import("./commands/pause.ts")).pauseCommand(id, options, context));
  addRunFlags(addPlace(program.command("resume"), context), context)
    .argument("[id]", help.pausedIdArgument)
    .description(help.resumeCommand)
    .action(async (id, options) => (await import("./commands/resume.ts")).resumeCommand(id, options, context));
}

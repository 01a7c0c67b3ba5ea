import process from "node:process";
import { type Argument, Command, type ErrorOptions, type Option } from "commander";
import type { Texts } from "../texts/en/catalogue.ts";
import { displayWidth } from "./render/columns.ts";
import { oneLine, printable } from "./render/lines.ts";
import { wrapped } from "./render/wrap.ts";

const EXCESS = "commander.excessArguments";

/** Translates the parser's own texts for a command and those declared under it. */
export function speak(command: Command, texts: Texts): Command {
  const { usage } = texts;
  return speakErrors(command, texts)
    .helpOption("-h, --help", usage.help)
    .configureOutput({
      writeOut: (text) => process.stdout.write(printable(text)), // an agent's own parameters are described by others
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: inheritedOptions,
      styleTitle: (title) => usage.titles[title] ?? title,
      optionDescription: (option) => withPreset(option, texts),
      argumentDescription: (argument) => withPreset(argument, texts),
      displayWidth: (text) => displayWidth(printable(text)),
      boxWrap: (text, width) =>
        text
          .split("\n")
          .flatMap((line) => wrapped(line, width, ""))
          .join("\n"),
    });
}

/** Options of the commands above; they may stand after this command as well. */
export function inheritedOptions({ parent }: Command): Option[] {
  if (!parent) return [];
  const own = parent.options.filter(({ hidden, long }) => !hidden && long !== "--version");
  return [...inheritedOptions(parent), ...own];
}

/** Subcommands inherit everything else, but not how errors are reported. */
function speakErrors(command: Command, texts: Texts): Command {
  command.createCommand = (name) => speakErrors(new Command(name), texts);
  command.error = (message, options): never => {
    const { parent } = command;
    const [name = command.name()] = parent?.args ?? [];
    // A default command takes the mistyped name of another for its argument.
    if (parent && name !== command.name() && options?.code === EXCESS) return refuseCommand(parent, name);
    command.showHelpAfterError(texts.labeled(texts.nextStep, `${pathOf(command)} --help`));
    return Command.prototype.error.call(
      command,
      texts.labeled(texts.error, misuse(message, options?.code, texts)),
      options,
    );
  };
  return command;
}

/** Ends the program: the command does not exist. */
export function refuseCommand(parent: Command, name: string): never {
  return parent.error(`unknown command '${name}'`, { code: "commander.unknownCommand" });
}

/** The words that call a command. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** The code says what was wrong; only the quoted name is taken from the message. */
function misuse(message: string, code: ErrorOptions["code"], { usage }: Texts): string {
  const wrong: Readonly<Record<string, (name: string) => string>> = usage.wrong;
  const [advice = "", alternatives] = ADVICE.exec(message) ?? [];
  const fault = message.slice(0, message.length - advice.length);
  const name = fault.slice(fault.indexOf("'") + 1, fault.lastIndexOf("'"));
  // Options have no spaces: this is a text that begins with a dash, such as a list or a comment in SQL.
  if (code === "commander.unknownOption" && /\s/.test(name)) return usage.dashedText(oneLine(name, LONGEST_NAME));
  const said = wrong[code ?? ""]?.(name) ?? usage.other(fault.replace(/^error: /, ""));
  return alternatives ? `${said}\n${usage.meant(alternatives)}` : said;
}

const ADVICE = /\n\(Did you mean (?:one of )?(.+)\?\)$/;
const LONGEST_NAME = 40;

function withPreset(declared: Option | Argument, { usage }: Texts): string {
  const { description, defaultValue, defaultValueDescription } = declared;
  const isPlain = "long" in declared && (declared.isBoolean() || declared.negate || Array.isArray(defaultValue));
  const value = defaultValueDescription ?? (isPlain ? undefined : defaultValue);
  return value === undefined ? description : usage.withPreset(description, String(value));
}

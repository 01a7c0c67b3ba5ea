/** The words around the declarations of the command line: titles of the help, and how it was misused. */
export const enUsage = {
  titles: {
    "Usage:": "Usage:",
    "Arguments:": "Arguments:",
    "Options:": "Options:",
    "Global Options:": "For every command:",
    "Commands:": "Commands:",
  } as Readonly<Record<string, string>>,
  help: "show this help",
  examples: "Examples:",
  exitCodes: "Exit codes:",
  noLimit: "no limit",
  ofLocale: "that of your locale",
  helpCommand: "show the help of a command",
  version: "show the version",
  needed: (text: string) => `${text} (required)`,
  withPreset: (text: string, value: string) => `${text} (default: ${value})`,
  meant: (alternatives: string) => `did you mean ${alternatives}?`,
  dashedText: (text: string) =>
    `"${text}" begins with a dash, like an option; a text that does so needs -- before it: -- "- …"`,
  wrong: {
    "commander.unknownCommand": (name: string) => `unknown command ${name}`,
    "commander.unknownOption": (name: string) => `unknown option ${name}`,
    "commander.missingArgument": (name: string) => `the argument <${name}> is missing`,
    "commander.optionMissingArgument": (name: string) => `${name} needs a value`,
    "commander.missingMandatoryOptionValue": (name: string) => `${name} is missing`,
    "commander.excessArguments": (_: string) => "too many arguments; a text with spaces needs quotes",
  },
  other: (message: string) => message,
};

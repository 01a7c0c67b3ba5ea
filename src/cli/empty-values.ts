import type { Command, Option } from "commander";
import { E8Error } from "../model/errors.ts";
import { message } from "../model/message.ts";
import { pathOf } from "./speech.ts";

/** Refuses flags with an empty value before a command begins, and says which value it is where a flag was repeated. */
export function refuseEmptyValues(program: Command): void {
  const values = new Map<Option, string[]>();
  listen(program, values);
  program.hook("preAction", (_, command) => {
    for (const [{ flags }, given] of values) {
      const place = given.findIndex((value) => value.trim() === "") + 1;
      if (place === 0) continue;
      const problem = message("flag_empty", { place, count: given.length });
      const [, ...names] = pathOf(command).split(" ");
      throw new E8Error("flag_invalid", { flag: flags.replace(/ [<[].*/, ""), command: names.join(" "), problem });
    }
  });
}

function listen(command: Command, values: Map<Option, string[]>): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    command.on(`option:${option.name()}`, (value: string | null) => {
      if (value !== null) values.set(option, [...(values.get(option) ?? []), value]);
    });
  }
  for (const one of command.commands) listen(one, values);
}

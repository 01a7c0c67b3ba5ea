import { message, type Statement } from "./message.ts";

/** A flag's value that cannot be used, and what could be. */
export function unfit(value: string, allowed: Statement): Statement {
  return message("value_explained", {
    problem: message("value_impossible", { value: JSON.stringify(value) }),
    allowed,
  });
}

/** The values that there are, one of which it must be. */
export function oneOf(choices: readonly string[]): Statement {
  return message("value_choices", { choices });
}

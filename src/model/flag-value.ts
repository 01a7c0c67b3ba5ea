import { message, type Statement } from "./message.ts";

/** A flag's value is unusable; `allowed` says what is possible. */
export function unfit(value: string, allowed: Statement): Statement {
  return message("value_explained", {
    problem: message("value_impossible", { value: JSON.stringify(value) }),
    allowed,
  });
}

export function oneOf(choices: readonly string[]): Statement {
  return message("value_choices", { choices });
}

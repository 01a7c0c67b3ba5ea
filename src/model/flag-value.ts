import { type Statement, type Words, worded } from "./statement.ts";

/** A flag's value that cannot be used, and what could be. */
export function unfit(value: string, fitting: Statement): Words {
  const shown = JSON.stringify(value);
  return worded(
    (say) => `${shown} is not possible: ${say(fitting)}`,
    (say) => `${shown} は使えません（${say(fitting)}）`,
  );
}

/** The values that there are, one of which it must be. */
export function oneOf(choices: readonly string[]): Words {
  return { en: choices.join(", "), ja: choices.join("、") };
}

import type { Statement } from "../../src/model/message.ts";
import { teller } from "../../src/texts/tell.ts";

const [english, japanese] = [teller("en"), teller("ja")];

/** Matches a statement that says this in English, and something in Japanese, too. */
export function saying(text: string): unknown {
  return {
    $$typeof: Symbol.for("jest.asymmetricMatcher"),
    asymmetricMatch: (statement: Statement) =>
      typeof statement === "object" &&
      statement !== null &&
      english(statement).includes(text) &&
      /[\u3040-\u30ff\u4e00-\u9fff]/.test(japanese(statement)),
    toString: () => `saying(${text})`,
    toAsymmetricMatcher: () => `saying(${JSON.stringify(text)})`,
  };
}

import type { E8Error } from "../../src/model/errors.ts";
import type { Statement } from "../../src/model/message.ts";
import type { LoopResult } from "../../src/model/records.ts";
import type { ErrorText } from "../../src/texts/message-texts.ts";
import { readableResult } from "../../src/texts/readable.ts";
import { errorText } from "../../src/texts/sentences.ts";
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

/** An error as it leaves the library: with its English message and hint. */
export function inEnglish<E extends E8Error>(error: E): E & ErrorText {
  return Object.assign(error, errorText(error, "en"));
}

/** A result as people read it in English. */
export function readable(result: LoopResult): LoopResult {
  return readableResult(result, "en");
}

import { expect } from "vitest";

/** A wording that says this in English, and something in Japanese, too. */
export function saying(english: string): unknown {
  return { en: expect.stringContaining(english), ja: expect.stringMatching(/[\u3040-\u30ff\u4e00-\u9fff]/) };
}

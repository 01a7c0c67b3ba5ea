import type { Output } from "./output.ts";
import type { Texts } from "./texts/en.ts";

/** What every command is handed. */
export interface Surroundings {
  texts: Texts;
  output: Output;
}

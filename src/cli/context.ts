import type { Texts } from "../texts/en/catalogue.ts";
import type { Output } from "./output.ts";

/** What every command is handed. */
export interface CliContext {
  texts: Texts;
  output: Output;
}

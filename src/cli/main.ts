import process from "node:process";
import { asE8Error } from "../model/errors.ts";
import { EXIT_ERROR } from "./exit-codes.ts";
import { ignoreClosedPipes, isDebugging, terminalOutput } from "./output.ts";
import { buildProgram } from "./program.ts";
import { stackOf } from "./render/lines.ts";
import { chooseTexts, faultText } from "./texts/texts.ts";

/** Reads the command line, runs one command, and ends with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  const texts = await chooseTexts(argv, process.env);
  const output = terminalOutput();
  try {
    await buildProgram({ texts, output }).parseAsync(argv, { from: "user" });
  } catch (thrown) {
    const error = asE8Error(thrown);
    const { message, hint } = faultText(error, texts);
    output.progress(`${output.paint("red", `${texts.error}:`)} ${message}`);
    output.progress(`${texts.nextStep}: ${hint}`);
    if (isDebugging()) output.progress(stackOf(thrown));
    process.exitCode = EXIT_ERROR;
  }
}

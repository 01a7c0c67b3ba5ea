import process from "node:process";
import { asE8Error, E8Error } from "../model/errors.ts";
import { chooseTexts } from "../texts/choose.ts";
import { EXIT_ERROR } from "./exit-codes.ts";
import { ignoreForeignHangups } from "./interrupts.ts";
import { isSaid } from "./log-level.ts";
import type { CliContext } from "./output.ts";
import { ignoreClosedPipes, onLostResult, terminalOutput } from "./output.ts";
import { buildProgram } from "./program.ts";
import { stackOf } from "./render/lines.ts";

/** Reads the command line, runs one command, and ends with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  ignoreForeignHangups();
  const context = { texts: await chooseTexts(argv, process.env), output: terminalOutput() };
  onLostResult((problem) => fail(new E8Error("output_lost", { problem }), context));
  try {
    await buildProgram(context).parseAsync(argv.map(commentAsText), { from: "user" });
  } catch (thrown) {
    await fail(thrown, context);
  }
}

async function fail(thrown: unknown, { texts, output }: CliContext): Promise<void> {
  const { errorText } = await import("../texts/sentences.ts");
  const { message, hint } = errorText(asE8Error(thrown), texts.language);
  output.progress(texts.labeled(output.paint("red", texts.error), message));
  output.progress(texts.labeled(texts.nextStep, hint));
  if (isSaid("debug")) output.progress(stackOf(thrown));
  process.exitCode = EXIT_ERROR;
}

/** SQL may begin with a comment. A space before it keeps the parser from taking it for an option. */
function commentAsText(word: string): string {
  return /^--\s/.test(word) ? ` ${word}` : word;
}

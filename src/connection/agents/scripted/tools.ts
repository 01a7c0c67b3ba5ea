import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { glob } from "tinyglobby";
import { z } from "zod";
import { type BashOptions, Shell } from "./bash.ts";
import type { ToolResult } from "./messages.ts";

type Outcome = Omit<ToolResult, "id">;

const path = z.string().min(1);
const Change = z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() });
type Change = z.infer<typeof Change>;

/** What the tools take, as far as stories use it. */
const inputs = {
  Bash: z.object({ command: z.string(), timeout: z.number().positive().max(600_000).optional() }),
  Write: z.object({ file_path: path, content: z.string() }),
  Edit: Change.extend({ file_path: path }),
  MultiEdit: z.object({ file_path: path, edits: z.array(Change).min(1) }),
  Read: z.object({ file_path: path, offset: z.int().min(1).optional(), limit: z.int().min(1).optional() }),
  Glob: z.object({ pattern: z.string(), path: path.optional() }),
  Grep: z.object({
    pattern: z.string(),
    path: path.optional(),
    glob: z.string().optional(),
    "-i": z.boolean().optional(),
  }),
};
type ToolName = keyof typeof inputs;
type Inputs = { [T in ToolName]: z.infer<(typeof inputs)[T]> };

export const TOOL_NAMES: readonly string[] = Object.keys(inputs);

/** Claude Code's tools, really run. */
export class Toolbox {
  readonly #directory: string;
  readonly #shell: Shell;

  constructor(options: BashOptions) {
    this.#directory = options.working_directory;
    this.#shell = new Shell(options);
  }

  /** Never throws for a tool that fails: the model is told. */
  async use(name: string, input: unknown): Promise<Outcome> {
    const tool = name as ToolName; // the caller looked it up in TOOL_NAMES
    const given = inputs[tool].safeParse(input);
    if (!given.success)
      return failed(`<tool_use_error>InputValidationError: ${z.prettifyError(given.error)}</tool_use_error>`);
    try {
      return await (this.#tools[tool] as (input: unknown) => Promise<Outcome>)(given.data);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends what the commands left running. */
  close(): Promise<void> {
    return this.#shell.close();
  }

  readonly #tools: { [T in ToolName]: (input: Inputs[T]) => Promise<Outcome> } = {
    Bash: ({ command, timeout }) => this.#shell.run(command, timeout),
    Write: async ({ file_path, content }) => {
      await this.#write(file_path, content);
      return done(`File created successfully at: ${file_path}`);
    },
    Edit: ({ file_path, ...change }) => this.#edit(file_path, [change]),
    MultiEdit: ({ file_path, edits }) => this.#edit(file_path, edits),
    Read: async ({ file_path, offset = 1, limit = 2000 }) => {
      const lines = (await readFile(this.#path(file_path), "utf8")).replace(/\n$/, "").split("\n");
      const shown = lines.slice(offset - 1, offset - 1 + limit);
      return done(shown.map((line, index) => `${String(offset + index).padStart(6)}→${line}`).join("\n"));
    },
    Glob: async ({ pattern, path: below = "." }) => {
      const files = await glob(pattern, { cwd: this.#path(below), dot: true, absolute: true });
      return done(files.sort().join("\n") || "No files found");
    },
    Grep: async ({ pattern, path: below = ".", glob: names = "**", "-i": isLoose }) => {
      const expression = new RegExp(pattern, isLoose ? "i" : "");
      const files = (await stat(this.#path(below))).isFile()
        ? [this.#path(below)]
        : await glob(names, { cwd: this.#path(below), absolute: true, ignore: ["**/node_modules/**"] });
      const texts = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
      const found = files.filter((_, index) => (texts[index] ?? "").split("\n").some((line) => expression.test(line)));
      return done(found.length > 0 ? `Found ${found.length} files\n${found.join("\n")}` : "No files found");
    },
  };

  async #edit(file: string, changes: readonly Change[]): Promise<Outcome> {
    let text = await readFile(this.#path(file), "utf8");
    for (const { old_string, new_string, replace_all } of changes) {
      const count = old_string === "" ? 0 : text.split(old_string).length - 1;
      if (count === 0) return failed(`String to replace not found in file.\nString: ${old_string}`);
      if (count > 1 && !replace_all)
        return failed(
          `Found ${count} matches of the string to replace, but replace_all is false.\nString: ${old_string}`,
        );
      text = replace_all ? text.split(old_string).join(new_string) : text.replace(old_string, () => new_string);
    }
    await this.#write(file, text);
    return done(`The file ${file} has been updated successfully.`);
  }

  async #write(file: string, content: string): Promise<void> {
    await mkdir(dirname(this.#path(file)), { recursive: true });
    await writeFile(this.#path(file), content);
  }

  #path(file: string): string {
    return resolve(this.#directory, file);
  }
}

export function failed(text: string): Outcome {
  return { text, is_error: true };
}

function done(text: string): Outcome {
  return { text, is_error: false };
}

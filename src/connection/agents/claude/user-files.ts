import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";

/** Where Claude Code keeps the user's own files. */
export function userFiles(environment: Environment): { state: string; settings: string } {
  const home = environment.HOME ?? homedir();
  const directory = environment.CLAUDE_CONFIG_DIR;
  return {
    state: join(directory || home, ".claude.json"),
    settings: join(directory || join(home, ".claude"), "settings.json"),
  };
}

/** Reads another program's JSON file. What is missing, broken or of another shape is as good as empty. */
export async function readLoosely<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S> | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

export const AnyObject = z.record(z.string(), z.unknown());

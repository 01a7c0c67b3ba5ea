import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import { claimDirectory, removeAbandoned } from "./abandoned-directories.ts";
import { type ClaudeAgentOptions, environmentOf } from "./configuration.ts";

/** A directory only we can read, for one answer. */
export interface PrivateDirectory {
  /** Where Claude Code puts its own temporary files: it never removes them all. */
  readonly temporary: string;
  /** Writes data that must not be seen on a command line, where every user of the machine could read it. */
  write(name: string, data: unknown): Promise<string>;
  /** Wraps a directory of skills in a plugin, the one way to add skills from anywhere. */
  pluginFor(skillsDirectory: string): Promise<string>;
  remove(): Promise<void>;
}

export async function makePrivateDirectory(options: ClaudeAgentOptions): Promise<PrivateDirectory> {
  const parent = environmentOf(options).CLAUDE_CODE_TMPDIR || tmpdir();
  const directory = await mkdtemp(join(parent, PREFIX));
  await claimDirectory(directory);
  const tidying = removeAbandoned(parent, PREFIX);
  const temporary = join(directory, "tmp");
  await mkdir(temporary);
  return {
    temporary,
    async write(name, data) {
      const file = join(directory, name);
      await writeFile(file, JSON.stringify(data), { mode: 0o600 });
      return file;
    },
    async pluginFor(skillsDirectory) {
      const skills = await stat(skillsDirectory).catch(() => undefined);
      if (!skills?.isDirectory())
        throw new E8Error("agent_configuration", { message: message("skills_missing", { path: skillsDirectory }) });
      const plugin = join(directory, "plugin");
      await mkdir(join(plugin, ".claude-plugin"), { recursive: true });
      await writeFile(join(plugin, ".claude-plugin", "plugin.json"), JSON.stringify({ name: "e8", version: "1.0.0" }));
      await symlink(skillsDirectory, join(plugin, "skills"));
      return plugin;
    },
    async remove() {
      // What is left of a program that writes while it is being ended may fail to go at once.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
      await tidying;
    },
  };
}

const PREFIX = "e8-";

import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { jsonIn } from "../../../model/json.ts";
import { message } from "../../../model/message.ts";
import { isAlive, ownIdentity, ProcessIdentity } from "../../stores/files/process-identity.ts";
import type { ClaudeAgentOptions } from "./settings.ts";

const PREFIX = "e8-";
/** Names the process that uses the directory. */
const OWNER = "owner.json";

const removals = new Map<string, Promise<void>>();

/**
 * Removes the directories of killed processes, which may hold keys. Looks once in the life of this process. Never throws. Other
 * users' directories are left alone: their links could lead root elsewhere.
 */
function removeAbandoned(parent: string): Promise<void> {
  const removal = removals.get(parent) ?? removeAll(parent).catch(() => {});
  removals.set(parent, removal);
  return removal;
}

async function removeAll(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const directory = join(parent, name);
    if (await isAbandoned(directory)) await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

async function isAbandoned(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined);
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return false;
  const owner = ProcessIdentity.safeParse(jsonIn(await readFile(join(directory, OWNER), "utf8").catch(() => ""))).data;
  return owner !== undefined && !(await isAlive(owner));
}

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

export async function makePrivateDirectory({ environment }: ClaudeAgentOptions): Promise<PrivateDirectory> {
  const parent = environment.CLAUDE_CODE_TMPDIR || tmpdir();
  const directory = await mkdtemp(join(parent, PREFIX));
  await writeFile(join(directory, OWNER), JSON.stringify(await ownIdentity()));
  const tidying = removeAbandoned(parent);
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
      // A program that is being ended may still write.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
      await tidying;
    },
  };
}

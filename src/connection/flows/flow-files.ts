import type { Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import { unreadable } from "../files.ts";

const FLOWS = ".agent";
const FLOW_FILE = "agent.json";
const FILES = 2000;
const FILE_BYTES = 2 * 1024 * 1024;

/** The text files of a flow's directory, by their path in it with forward slashes. Binary, hidden, installed and outside files are skipped. */
export async function readFlowDirectory(path: string): Promise<Map<string, string>> {
  const root = await realpath(path).catch((error) => {
    throw unreadable(path, error);
  });
  const files = new Map<string, string>();
  for await (const found of walk({ name: "", path: root, root, above: [root] })) {
    if (files.size === FILES)
      throw new E8Error("file_too_large", { path, limit: message("file_count", { count: FILES }) });
    const text = await readText(found);
    if (text !== undefined) files.set(found.name, text);
  }
  return files;
}

/** The project's flows by name: directories of `.agent` with an agent.json. */
export async function listFlows(project: string): Promise<string[]> {
  const names = await readdir(join(project, FLOWS)).catch(() => []);
  const isFlow = await Promise.all(names.map((name) => isFile(join(project, FLOWS, name, FLOW_FILE))));
  return names.filter((_, index) => isFlow[index]).sort();
}

/** The directory of a flow, by its name, by its path as seen from the project, or by the path of its agent.json. */
export async function findFlow(project: string, nameOrPath: string): Promise<string> {
  const named = resolve(project, FLOWS, nameOrPath);
  // Even without an agent.json: that the file is missing says more than that the flow is unknown.
  if (isName(nameOrPath) && (await statOf(named))?.isDirectory()) return named;
  const path = resolve(project, nameOrPath);
  const directory = basename(path) === FLOW_FILE ? dirname(path) : path;
  if (nameOrPath !== "" && (await isFile(join(directory, FLOW_FILE)))) return directory;
  const known = (await listFlows(project)).join(", ");
  throw new E8Error("agent_not_found", { name: nameOrPath, directory: join(project, FLOWS), known });
}

interface FoundPath {
  /** As seen from the flow's directory. */
  name: string;
  path: string;
  /** The flow's directory. */
  root: string;
  /** The real directories above: a link to one of them would never end. */
  above: readonly string[];
}

async function* walk(place: FoundPath): AsyncGenerator<FoundPath> {
  const entries = await readdir(place.path).catch((error) => {
    throw unreadable(place.path, error);
  });
  for (const entry of entries.filter(isWanted).sort()) {
    const path = join(place.path, entry);
    const inside = { ...place, path, name: place.name === "" ? entry : `${place.name}/${entry}` };
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !real.startsWith(place.root + sep) || place.above.includes(real)) continue;
    const found = await statOf(real);
    if (found?.isDirectory()) yield* walk({ ...inside, above: [...place.above, real] });
    else if (found?.isFile()) yield inside;
  }
}

function isWanted(entry: string): boolean {
  return !entry.startsWith(".") && entry !== "node_modules";
}

/** Undefined for a file that is not text. The flow's own files are never skipped silently. */
async function readText({ name, path }: FoundPath): Promise<string | undefined> {
  const isOurs = /\.(json|md)$/.test(name);
  try {
    if ((await stat(path)).size > FILE_BYTES) {
      if (isOurs) throw new E8Error("file_too_large", { path, limit: "2 MB" });
      return undefined;
    }
    const bytes = await readFile(path);
    return isOurs || !bytes.includes(0) ? new TextDecoder().decode(bytes) : undefined;
  } catch (error) {
    if (isOurs) throw error instanceof E8Error ? error : unreadable(path, error);
    return undefined;
  }
}

function isName(text: string): boolean {
  return text !== "" && !/[/\\]|^\./.test(text);
}

async function isFile(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() ?? false;
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

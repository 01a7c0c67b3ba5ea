import { absolute, readTextFileIfThere, within } from "../connection/files.ts";
import { projectName } from "../connection/git/project-name.ts";
import { SETTINGS_FILE } from "../connection/project.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { isRecord } from "../model/json.ts";
import { message } from "../model/message.ts";
import { type DatabaseStore, keepIn } from "./store.ts";

/** The value that says: not in a database. */
const FILES = "files";

export interface StoreChoice {
  project: string;
  /** Of the command line. */
  url?: string | undefined;
  environment: Environment;
}

/** Has this process find the project's tasks where the command line, ENDLESS8_STORE or else endless8.yaml say that they are. */
export async function chooseStore(choice: StoreChoice): Promise<void> {
  const url = choice.url ?? (choice.environment.ENDLESS8_STORE?.trim() || (await urlInFile(choice.project)));
  keepIn(choice.project, url === undefined || url === FILES ? undefined : await openDatabase(choice.project, url));
  if (choice.url !== undefined) addresses.set(absolute(choice.project), choice.url);
}

/** What the command line of this process says about the store of a project: other processes have to be told. */
const addresses = new Map<string, string>();

export function storeAddress(project: string): string | undefined {
  return addresses.get(absolute(project));
}

async function openDatabase(directory: string, url: string): Promise<DatabaseStore> {
  const [{ readAddress }, { Database }, { Listener }, { databaseStore }] = await Promise.all([
    import("../connection/stores/postgres/address.ts"),
    import("../connection/stores/postgres/database.ts"),
    import("../connection/stores/postgres/listener.ts"),
    import("./database-store.ts"),
  ]);
  const address = readAddress(url);
  const project = address.project ?? (await projectName(directory));
  const database = new Database(address);
  return databaseStore({ database, directory, project, listener: new Listener(database) });
}

/** A worker can read the file, so it may hold no password. A file that is broken is reported by those who need its other settings. */
async function urlInFile(project: string): Promise<string | undefined> {
  const file = await readTextFileIfThere(within(project, SETTINGS_FILE));
  if (!file || !/\bstore["']?\s*:/.test(file.text)) return undefined;
  const { parse } = await import("yaml");
  const url = urlIn(parse, file.text);
  if (url === undefined || url === FILES) return url;
  const { holdsPassword } = await import("../connection/stores/postgres/address.ts");
  if (holdsPassword(url)) throw new E8Error("store_secret_in_file", { file: file.name });
  return url;
}

function urlIn(parse: (text: string) => unknown, text: string): string | undefined {
  let settings: unknown;
  try {
    settings = parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(settings) || settings.store === undefined) return undefined;
  if (typeof settings.store === "string") return settings.store.trim();
  throw new E8Error("store_url_invalid", { problem: message("store_url_not_postgres", {}) });
}

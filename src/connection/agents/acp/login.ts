import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { Environment } from "../../../model/environment.ts";
import { isRecord, jsonIn } from "../../../model/json.ts";
import { isWithin } from "../../processes/sandbox/paths.ts";
import type { ModelAccess } from "../backend.ts";
import { hostOf, modelAccess } from "../claude/model-access.ts";
import type { KnownAgent, LoginFile, LoginWay } from "./known-agent.ts";
import { MOVED } from "./known-agents.ts";
import { tomlValues } from "./toml-values.ts";

/** The login that was found, or what a user can do where none was. Its validity is not checked. */
export type FoundLogin =
  | { is: "key"; variable: string }
  | { is: "file"; path: string }
  /** The settings name a provider that takes no key. */
  | { is: "needless"; path: string }
  | { is: "missing"; command: string; variables: readonly string[] };

export function loginOf(agent: KnownAgent, environment: Environment): FoundLogin {
  const { command } = agent.login;
  const { variables, files } = wayOf(agent, environment);
  const provider = providerOf(agent, environment);
  if (provider?.takes === "nothing") return { is: "needless", path: provider.path };
  if (provider?.takes === "key") {
    const { env_key } = provider;
    const isSet = isGiven(env_key, environment);
    return isSet ? { is: "key", variable: env_key } : { is: "missing", command: "", variables: [env_key] };
  }
  const file = files.find((one) => holdsLogin(one, environment));
  if (file) return { is: "file", path: placeOf(file.path, environment) };
  const variable = variables.find((name) => isGiven(name, environment));
  return variable !== undefined ? { is: "key", variable } : { is: "missing", command, variables };
}

/** The way that the agent's settings choose, or its usual one. */
function wayOf({ login }: KnownAgent, environment: Environment): LoginWay {
  const { path, pattern, ways } = login.chosen ?? {};
  if (path === undefined || !pattern) return login;
  const [, name = ""] = pattern.exec(textIn(placeOf(path, environment))) ?? [];
  return ways?.[name] ?? login;
}

/** The method of the protocol's `authenticate` for a key that is set, if the agent has one. */
export function keyMethod(
  { login }: KnownAgent,
  environment: Environment,
  offered: readonly { id: string }[],
): string | undefined {
  const isSet = login.variables.some((name) => isGiven(name, environment));
  return isSet ? offered.find(({ id }) => id === login.key_method)?.id : undefined;
}

/** Of `A + B`, both. */
function isGiven(variables: string, environment: Environment): boolean {
  return variables.split(" + ").every((variable) => (environment[variable] ?? "").trim() !== "");
}

/** Some agents leave the file behind, with nothing in it. One that is not JSON holds settings. */
function holdsLogin(file: LoginFile, environment: Environment): boolean {
  const path = placeOf(file.path, environment);
  if (file.is_sealed || !path.endsWith(".json")) return existsSync(path);
  const content = jsonIn(textIn(path));
  return isRecord(content) && Object.entries(content).some(([key, value]) => !file.aside?.includes(key) && says(value));
}

function says(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(says);
  return typeof value === "string" && value.trim() !== "";
}

interface Provider {
  /** The settings that choose it. */
  path: string;
  base_url: string | undefined;
}

type ChosenProvider = Provider & ({ takes: "login" } | { takes: "nothing" } | { takes: "key"; env_key: string });

/** The provider of models that the agent's settings choose; undefined where it is the agent's own. */
function providerOf({ login: { providers } }: KnownAgent, environment: Environment): ChosenProvider | undefined {
  if (!providers) return undefined;
  const path = placeOf(providers.path, environment);
  const values = tomlValues(textIn(path));
  const profile = values.get("profile");
  const name =
    environment[providers.chosen_by]?.trim() ||
    values.get(`profiles.${profile}.model_provider`) ||
    values.get("model_provider");
  if (!name || name === providers.usual) return undefined;
  const setting = (key: string) => values.get(`model_providers.${name}.${key}`);
  const [env_key, base_url] = [setting("env_key"), setting("base_url")];
  if (setting("requires_openai_auth") === "true") return { path, base_url, takes: "login" };
  return env_key ? { path, base_url, takes: "key", env_key } : { path, base_url, takes: "nothing" };
}

/** Where a path below HOME is for this user. */
function placeOf(path: string, environment: Environment): string {
  const [folder, moved = ""] = Object.entries(MOVED).find(([folder]) => isWithin(folder, path)) ?? [];
  const [variable = "", ...below] = moved.split("/");
  const other = environment[variable];
  return folder && other ? join(other, ...below, relative(folder, path)) : join(environment.HOME || homedir(), path);
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // not there, or not for us: as if it said nothing
  }
}

/** What it needs to reach its model, and the files that it works with. */
export async function accessOf(agent: KnownAgent, environment: Environment): Promise<ModelAccess> {
  const { needs } = agent;
  if (needs === "claude") return modelAccess(environment);
  const { hosts, server, folders, deciding } = needs;
  const url = providerOf(agent, environment)?.base_url ?? environment[server]?.trim();
  const placesOf = (paths: readonly string[]) => paths.map((path) => placeOf(path, environment));
  return {
    hosts: url && URL.canParse(url) ? [hostOf(url)] : hosts,
    kept: placesOf(wayOf(agent, environment).borrows ?? []),
    made: placesOf(folders),
    writable: placesOf(folders),
    readable: placesOf(deciding),
  };
}

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CredentialGroup } from "../../model/credentials.ts";
import type { Environment } from "../../model/environment.ts";

/** What everything that is started for a worker or a check gets. */
export interface WorkEnvironment {
  environment: Environment;
  /** Variables of the user that are not in it. */
  withheld: Readonly<Record<string, string>>;
  /** What the user has and the work has not: names of variables, `gh` and `glab`. */
  withheld_names: string[];
}

/**
 * The user's environment without the credentials of issue trackers, git hosts and the store, but for those that `pass` names, and without
 * the variables of a surrounding git hook. gh and glab find no login, git asks no helper and no terminal. All else stays. `also`: further
 * variables that are secret here.
 */
export function workEnvironment(
  user: Environment,
  pass: readonly string[],
  also: readonly string[] = [],
): WorkEnvironment {
  const outside = withoutHookVariables(user);
  if (pass.includes("all")) return { environment: outside, withheld: {}, withheld_names: [] };
  const withheld = withheldFrom(outside, pass, also);
  const kept = Object.fromEntries(Object.entries(outside).filter(([name]) => !Object.hasOwn(withheld, name)));
  const isPassed = (group: CredentialGroup) => pass.includes(group);
  const empty = join(cacheDirectory(user), "no-credentials");
  const environment = {
    ...withGitSettings(kept, isPassed("git") ? [] : [["credential.helper", ""]]),
    ...(!isPassed("gh") && { GH_CONFIG_DIR: join(empty, "gh"), HUB_CONFIG: join(empty, "hub") }),
    ...(!isPassed("glab") && { GLAB_CONFIG_DIR: join(empty, "glab") }),
    // An unset askpass would leave the choice to core.askPass.
    ...(!isPassed("git") && { GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "" }),
  };
  const logins = (["gh", "glab"] as const).filter((group) => !isPassed(group) && hasLogin[group](user));
  return { environment, withheld, withheld_names: [...Object.keys(withheld), ...logins] };
}

/** Removes the variables of a surrounding git hook, which would point git at another repository. */
export function withoutHookVariables(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_A_HOOK.test(name)));
}

const OF_A_HOOK =
  /^GIT_(DIR|COMMON_DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|PREFIX|INTERNAL_SUPER_PREFIX|NAMESPACE|GRAFT_FILE|SHALLOW_FILE|CONFIG|CONFIG_PARAMETERS|REFLOG_ACTION)$/;

/** Where we keep files that may be deleted at any time. */
export function cacheDirectory(environment: Environment): string {
  return join(environment.XDG_CACHE_HOME || join(homeOf(environment), ".cache"), "endless8");
}

function homeOf(environment: Environment): string {
  return environment.HOME || homedir();
}

/** Tokens of trackers and git hosts, by how their names begin and end. */
const TOKEN =
  /^(?:GITHUB|GH|GITLAB|GL|GLAB|CI_JOB|BITBUCKET|GITEA|FORGEJO|CODEBERG|JIRA|ATLASSIAN|LINEAR|AZURE_DEVOPS|YOUTRACK|SHORTCUT|ASANA|TRELLO|REDMINE)(?:_\w+)?_(?:TOKEN|PAT|JWT|KEY|SECRET|PASSWORD)$/i;

/** Those whose names follow no pattern. */
const OTHERS = new Set([
  ...["HOMEBREW_GITHUB_API_TOKEN", "COPILOT_GITHUB_TOKEN", "GITHUB_PERSONAL_ACCESS_TOKEN", "OAUTH_TOKEN"],
  ...["CI_REGISTRY_PASSWORD", "CI_DEPLOY_PASSWORD", "SYSTEM_ACCESSTOKEN", "AZURE_DEVOPS_EXT_PAT"],
  "ENDLESS8_STORE", // who has it can write every task's records
  "ENDLESS8_MCP_TOKEN", // who has it can start runs
  ...["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GIT_TOKEN", "GIT_PASSWORD"],
]);

/** What a collector of telemetry is reached with, and its addresses, which may hold a password. */
const COLLECTOR = /^OTEL_EXPORTER_OTLP_(?:\w+_)?(HEADERS|ENDPOINT)$/;

/** The variables that a group of `pass_credentials` stands for. */
const OF_GROUP = {
  gh: /^(?:GH|GITHUB)(?:_ENTERPRISE)?_TOKEN$/,
  glab: /^(?:GITLAB_TOKEN|GITLAB_ACCESS_TOKEN|GL_TOKEN|OAUTH_TOKEN)$/,
  git: /^(?:GIT_ASKPASS|SSH_ASKPASS|VSCODE_GIT_\w+)$/,
  ssh: /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID)$/,
} satisfies Record<CredentialGroup, RegExp>;

/** Shorter values may stand in other variables by chance. */
const SHORTEST_SECRET = 12;

function withheldFrom(
  environment: Environment,
  pass: readonly string[],
  also: readonly string[],
): Record<string, string> {
  const groups = Object.entries(OF_GROUP);
  const isPassed = (name: string) =>
    pass.includes(name) || groups.some(([group, names]) => pass.includes(group) && names.test(name));
  const given = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value && !isPassed(name) ? [[name, value]] : [],
  );
  const isSecret = (name: string) => TOKEN.test(name) || OTHERS.has(name) || also.includes(name);
  const isNamed = (name: string) => isSecret(name) || groups.some(([, names]) => names.test(name));
  const named = given.filter(([name, value]) => isNamed(name) || isForCollector(name, value));
  const secrets = named.filter(([name]) => isSecret(name) || COLLECTOR.test(name)).map(([, value]) => value);
  const isCopy = (value: string) =>
    secrets.some((secret) => secret.length >= SHORTEST_SECRET && value.includes(secret));
  const isWithheld = ([name, value]: [string, string]) => isNamed(name) || isForCollector(name, value) || isCopy(value);
  return Object.fromEntries(given.filter(isWithheld));
}

function isForCollector(name: string, value: string): boolean {
  const [, kind] = COLLECTOR.exec(name) ?? [];
  return kind === "HEADERS" || (kind === "ENDPOINT" && /\/\/[^/]*@/.test(value));
}

/**
 * Adds settings to those that the environment gives git; an empty helper takes away all helpers of the files before it. Pairs of which
 * one half is withheld are left out: git refuses to start with them.
 */
function withGitSettings(environment: Environment, added: readonly [string, string][]): Environment {
  const count = Number.parseInt(environment.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  const given = Array.from({ length: count }, (_, at) => [
    environment[`GIT_CONFIG_KEY_${at}`],
    environment[`GIT_CONFIG_VALUE_${at}`],
  ]).filter((pair) => pair.every((half) => half !== undefined));
  const rest = Object.entries(environment).filter(([name]) => !/^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/.test(name));
  const pairs = [...given, ...added];
  const settings = pairs.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([
    ...rest,
    ...settings,
    ...(pairs.length > 0 ? [["GIT_CONFIG_COUNT", String(pairs.length)]] : []),
  ]);
}

const hasLogin = {
  gh: (user: Environment) => existsSync(join(user.GH_CONFIG_DIR || configured(user, "gh"), "hosts.yml")),
  glab: (user: Environment) => existsSync(join(user.GLAB_CONFIG_DIR || configured(user, "glab-cli"), "config.yml")),
};

function configured(user: Environment, name: string): string {
  return join(user.XDG_CONFIG_HOME || join(homeOf(user), ".config"), name);
}

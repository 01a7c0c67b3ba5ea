import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import type { Secret } from "../../model/redaction.ts";
import { isSecretName, isSecretValue, passwordsIn } from "./look-of-secrets.ts";

/** Files in HOME that hold nothing but logins. */
const IN_HOME = `
  .npmrc .yarnrc.yml .netrc .git-credentials .config/git/credentials .pgpass .my.cnf .pypirc .aws/credentials .docker/config.json
  .config/gh/hosts.yml .config/hub .config/glab-cli/config.yml .cargo/credentials .cargo/credentials.toml .gem/credentials .kube/config
  .vault-token .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa
`
  .trim()
  .split(/\s+/);

/** Files of a project that look as if they held secrets. Examples hold none. */
const OF_PROJECT =
  /^(?:\.env(?:\..+)?|\.envrc|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.pgpass|secrets?\.(?:json|ya?ml|toml|env)|credentials\.(?:json|ya?ml|toml)|service-account.*\.json|.+\.(?:pem|key))$/;
const EXAMPLE = /(?:example|sample|template|dist|defaults?)$/;
const SKIPPED = new Set(["node_modules", ".git", ".e8", "dist", "build", "vendor", "target"]);

const MOST_BYTES = 256 * 1024;
const MOST_DIRECTORIES = 200;

/** The files to read: those in HOME, and those of the project and of the directories in it. */
export function secretFiles(project: string, environment: Environment): string[] {
  const home = environment.HOME || homedir();
  const folders = directoriesIn(project).slice(0, MOST_DIRECTORIES);
  return [...IN_HOME.map((name) => join(home, name)), ...[project, ...folders].flatMap(filesIn)];
}

function directoriesIn(project: string): string[] {
  return entriesOf(project)
    .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    .map(({ name }) => join(project, name));
}

function filesIn(directory: string): string[] {
  return entriesOf(directory)
    .filter(({ name }) => OF_PROJECT.test(name) && !EXAMPLE.test(name))
    .map(({ name }) => join(directory, name));
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Changes with the file. Undefined where there is none to read. */
export function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}

export function readSecrets(path: string): Secret[] {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MOST_BYTES ? secretsIn(readFileSync(path, "utf8")) : [];
  } catch {
    return []; // what we cannot read, a worker of the same user cannot read either
  }
}

/** A name and a value, as in .env, INI, TOML, YAML and JSON: quoted, or up to the next space or comma. */
const PAIR = /["']?([A-Za-z_][\w.-]*)["']?[ \t]*[:=][ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"',;{}[\]]+))/g;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/g;
const NETRC = /\bpassword[ \t]+(\S+)/g;
const PGPASS = /^[^:#\n]+:[^:\n]*:[^:\n]*:[^:\n]*:(.+)$/gm;

/** What a file of this kind keeps secret. */
export function secretsIn(text: string): Secret[] {
  const pairs = [...text.matchAll(PAIR)].flatMap(([, name = "", double, single, bare]) =>
    isSecretName(name) ? [{ name, value: unescaped(double) ?? single ?? bare ?? "" }] : [],
  );
  const named = (name: string, values: Iterable<string>) => [...values].map((value) => ({ name, value }));
  const firsts = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = ""]) => value.trim());
  return [
    ...pairs,
    ...named("private key", text.match(PEM) ?? []),
    ...named("password", [...firsts(NETRC), ...firsts(PGPASS), ...passwordsIn(text)]),
  ].filter(({ value }) => isSecretValue(value));
}

function unescaped(value: string | undefined): string | undefined {
  return value?.replaceAll("\\n", "\n").replaceAll(/\\(.)/g, "$1");
}

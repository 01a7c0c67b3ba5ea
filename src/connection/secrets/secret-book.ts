import { existsSync } from "node:fs";
import type { Environment } from "../../model/environment.ts";
import { type Redact, redactor, type Secret } from "../../model/redaction.ts";
import { isSecretName, isSecretValue, passwordsIn } from "./look-of-secrets.ts";
import { readSecrets, secretFiles, stampOf } from "./secret-files.ts";

/** A secret that is written into a file while a task runs is known so soon. */
const FRESH_MILLISECONDS = 2_000;
const MOST_SECRETS = 500;

/** What must not be written down about a project: values of variables, and of files, that look like secrets. */
export class SecretBook {
  readonly #project: string;
  readonly #environments = new Set<Environment>();
  readonly #files = new Map<string, { stamp: string; secrets: Secret[] }>();
  #known = "";
  #redact: Redact = (text) => text;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(project: string) {
    this.#project = project;
  }

  /** Variables that something gets which is started here. */
  learn(environment: Environment): void {
    if (this.#environments.has(environment)) return;
    this.#environments.add(environment);
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  readonly redact: Redact = (text) => {
    if (performance.now() - this.#lookedAt > FRESH_MILLISECONDS) this.#look();
    return this.#redact(text);
  };

  #look(): void {
    const environments = [process.env, ...this.#environments];
    const ofVariables = environments.flatMap(secretsOf);
    const paths = new Set(environments.flatMap((environment) => secretFiles(this.#project, environment)));
    const secrets = [...ofVariables, ...[...paths].flatMap((path) => this.#ofFile(path))].slice(0, MOST_SECRETS);
    const known = JSON.stringify(secrets);
    if (known !== this.#known) this.#redact = redactor(secrets);
    this.#known = known;
    this.#lookedAt = performance.now();
  }

  #ofFile(path: string): Secret[] {
    const stamp = stampOf(path);
    if (stamp === undefined) return [];
    const before = this.#files.get(path);
    if (before?.stamp === stamp) return before.secrets;
    const secrets = [...(before?.secrets ?? []), ...readSecrets(path)]; // what was secret stays so
    this.#files.set(path, { stamp, secrets });
    return secrets;
  }
}

/** The secrets among variables. One that names a file holds none itself; of an address, the password is one. */
export function secretsOf(environment: Environment): Secret[] {
  return Object.entries(environment).flatMap(([name, value = ""]): Secret[] => {
    const passwords = passwordsIn(value).filter(isSecretValue);
    if (passwords.length > 0) return passwords.map((password) => ({ name, value: password }));
    const isSecret = isSecretName(name) && isSecretValue(value) && !(value.startsWith("/") && existsSync(value));
    return isSecret ? [{ name, value }] : [];
  });
}

const books = new Map<string, SecretBook>();

/** One for each project of this process. */
export function secretBook(project: string): SecretBook {
  const book = books.get(project) ?? new SecretBook(project);
  books.set(project, book);
  return book;
}

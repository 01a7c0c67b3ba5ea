/** How names of secrets end, in capitals with underscores. `PASSWORD` and the like also end other words: `PGPASSWORD`. */
const NAME =
  /(?:^|_)(?:KEY|KEYS|TOKENS?|SECRETS?|PASS|PWD|PAT|JWT|AUTH|COOKIE|DSN|CREDENTIALS?|SIGNATURE|SALT)$|(?:PASSWORD|PASSWD|PASSPHRASE|TOKEN|SECRET|APIKEY|SSHPASS)$/;

/** What a name may end with besides. */
const SUFFIX = /_(?:BASE64|B64|HEX|PEM|VALUE|RAW|DATA|\d+)$/;

/** The working directories of shells end in PWD. */
const OTHERS = new Set(["PWD", "OLDPWD", "INIT_PWD", "COLOR_KEY", "CACHE_KEY", "PUBLIC_KEY", "SSH_PUBLIC_KEY"]);

/** Whether a value under this name is to be kept secret: `NPM_TOKEN`, `dbPassword`, `_authToken`, `client-key-data`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toUpperCase()
    .replace(SUFFIX, "");
  return !OTHERS.has(words) && !words.endsWith("PUBLIC_KEY") && NAME.test(words);
}

const SHORTEST = 8;
/** So long is no word. */
const LONG = 24;
const LONGEST = 20_000;

/** Values that stand for others, or that everybody uses. */
const PLACEHOLDER =
  /^(?:\$\{?\w+\}?|\$\(.*\)|<.*>|\{\{.*\}\}|your[-_].*|(.)\1+|(?:password|passwort|secret|changeme|change-me|example|test|testing|dummy|default|fake|admin|root|user|token|key|localhost|postgres|demo)[\d!@#_.-]*)$/i;

/**
 * Whether a text is one that could only be a secret. A short text or a common word is none: it would be found, and replaced, in the midst of
 * what was never secret.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || PLACEHOLDER.test(value)) return false;
  if (/^(?:[\d.,:TZ+\-/ ]+|[\w.-]+:\d{1,5})$/.test(value)) return false; // numbers, dates, versions, hosts with their ports
  if (/^[A-Za-z]+(?:[-_. ][A-Za-z]+)*$/.test(value)) return value.length >= LONG || changesCase(value);
  return !/^(?:true|false|https?:\/\/[^@]*)$/i.test(value);
}

/** `dGhpc0lzTm90QVdvcmQ`, but not `camelCase`. */
function changesCase(value: string): boolean {
  return (value.match(/[a-z][A-Z]/g) ?? []).length >= 3;
}

/** The password in an address: `postgres://user:password@host`. */
export function passwordsIn(text: string): string[] {
  return [...text.matchAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s:/@"']*:([^\s/@"']+)@/gi)].flatMap(([, password = ""]) => [
    password,
    ...decoded(password),
  ]);
}

function decoded(text: string): string[] {
  try {
    return decodeURIComponent(text) === text ? [] : [decodeURIComponent(text)];
  } catch {
    return [];
  }
}

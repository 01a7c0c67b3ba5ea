import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { jsonIn, valueAt } from "../../model/json.ts";

/** The variables with which each vendor knows its customers. */
const KEYS: readonly [account: RegExp, variables: RegExp][] = [
  [/^(claude|api anthropic)/, /^(ANTHROPIC|CLAUDE_CODE)_\w*(KEY|TOKEN|BASE_URL)$/],
  [/^(codex|api openai )/, /^(OPENAI|CODEX)_\w*(KEY|TOKEN|BASE_URL)$/],
  [/^(gemini|api google)/, /^(GOOGLE|GEMINI)_\w*(KEY|TOKEN)$/],
];
const OTHERS = /_(API_KEY|AUTH_TOKEN)$/;

/** Where a vendor's program notes who is logged in, and the name of it there. The account's number, never what proves it. */
const LOGINS: readonly { account: RegExp; file: string; variable?: string; name: readonly string[] }[] = [
  { account: /^claude /, file: ".claude.json", variable: "CLAUDE_CONFIG_DIR", name: ["oauthAccount", "accountUuid"] },
  { account: /^codex /, file: ".codex/auth.json", variable: "CODEX_HOME", name: ["tokens", "account_id"] },
  { account: /^gemini /, file: ".gemini/google_accounts.json", name: ["active"] },
];

/**
 * What a fleet calls an account of this machine: two machines share it where they have the same keys, or the same login, or where their
 * owners call it the same. A login that does not say whose it is, is taken for this machine's alone.
 */
export function accountName(account: string, environment: Environment, own: string | undefined): string {
  if (own !== undefined) return `${account} ${own}`;
  const [, variables = OTHERS] = KEYS.find(([kind]) => kind.test(`${account} `)) ?? [];
  const keys = Object.entries(environment).filter(([name, value]) => value && variables.test(name));
  const home = environment.HOME || homedir();
  const login = keys.length > 0 ? undefined : loginIn(account, home, environment);
  const identity = keys.length > 0 ? keys.sort() : login !== undefined ? ["login", login] : [hostname(), home];
  return `${account} ${createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12)}`;
}

function loginIn(account: string, home: string, environment: Environment): string | undefined {
  const known = LOGINS.find((one) => one.account.test(`${account} `));
  if (!known) return undefined;
  const directory = known.variable === undefined ? undefined : environment[known.variable];
  const path = directory ? join(directory, basename(known.file)) : join(home, known.file);
  try {
    const found = valueAt(jsonIn(readFileSync(path, "utf8")), known.name.join("."));
    return typeof found === "string" && found !== "" ? found : undefined;
  } catch {
    return undefined; // nobody is logged in
  }
}

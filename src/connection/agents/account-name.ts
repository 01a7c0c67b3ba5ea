import { createHash } from "node:crypto";
import { homedir, hostname } from "node:os";
import type { Environment } from "../../model/environment.ts";

/** The variables with which each vendor knows its customers. */
const KEYS: readonly [account: RegExp, variables: RegExp][] = [
  [/^(claude|api anthropic)/, /^(ANTHROPIC|CLAUDE_CODE)_\w*(KEY|TOKEN|BASE_URL)$/],
  [/^(codex|api openai )/, /^(OPENAI|CODEX)_\w*(KEY|TOKEN|BASE_URL)$/],
  [/^(gemini|api google)/, /^(GOOGLE|GEMINI)_\w*(KEY|TOKEN)$/],
];
const OTHERS = /_(API_KEY|AUTH_TOKEN)$/;

/**
 * What a fleet calls an account of this machine: two machines share it where they have the same keys, or where their owners call it the
 * same. A login in HOME is taken for this machine's alone.
 */
export function accountName(account: string, environment: Environment, own: string | undefined): string {
  if (own !== undefined) return `${account} ${own}`;
  const [, variables = OTHERS] = KEYS.find(([kind]) => kind.test(`${account} `)) ?? [];
  const keys = Object.entries(environment).filter(([name, value]) => value && variables.test(name));
  const identity = keys.length > 0 ? keys.sort() : [hostname(), environment.HOME || homedir()];
  return `${account} ${createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12)}`;
}

/** Commands that only read, by topic. All others count as side effects, `gh api` too. */
const READ_ONLY: Readonly<Record<string, readonly string[]>> = {
  issue: ["view", "list", "ls", "status"],
  ci: ["view", "list", "ls", "status", "get", "trace", "lint"],
  pr: ["view", "list", "ls", "status", "diff", "checks", "checkout", "co"],
  release: ["view", "list", "ls", "download", "verify", "verify-asset"],
  mr: ["view", "list", "ls", "show", "diff", "checkout", "approvers", "issues"],
  label: ["list", "ls"],
  repo: ["view", "list", "ls", "clone"],
  run: ["view", "list", "ls", "watch", "download"],
  workflow: ["view", "list", "ls"],
  gist: ["view", "list", "ls", "clone"],
  project: ["view", "list", "ls", "field-list", "item-list"],
  search: ["code", "commits", "issues", "prs", "repos"],
  auth: ["status"],
  cache: ["list", "ls"],
  secret: ["list", "ls"],
  variable: ["list", "ls", "get"],
  ruleset: ["view", "list", "ls", "check"],
  org: ["list", "ls"],
  config: ["get", "list", "ls"],
  alias: ["list", "ls"],
  extension: ["list", "ls", "search"],
  attestation: ["verify", "download"],
};
const ALWAYS_READ_ONLY = new Set(["status", "help", "version", "completion"]);
const TAKES_A_VALUE = new Set(["-R", "--repo", "--hostname"]);

/** The side effect of a call of gh or glab with these arguments; undefined when it only reads. */
export function ghEffect(program: string, words: readonly string[]): string | undefined {
  const [topic, action] = operands(words);
  if (topic === undefined || ALWAYS_READ_ONLY.has(topic)) return undefined;
  const allowed = Object.hasOwn(READ_ONLY, topic) ? READ_ONLY[topic] : undefined;
  if (action !== undefined && allowed?.includes(action)) return undefined;
  if (action === undefined && allowed) return undefined; // prints its help
  return [program, topic, ...(allowed && action ? [action] : [])].join(" ");
}

function operands(words: readonly string[]): string[] {
  return words.filter((word, index) => !word.startsWith("-") && !TAKES_A_VALUE.has(words[index - 1] ?? ""));
}

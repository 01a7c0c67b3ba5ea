import { createHash } from "node:crypto";
import type { Digests } from "../../model/digests.ts";

/** Files that say what is installed, with which tools, and from where. */
const INPUTS = new RegExp(
  `(^|/)(${[
    String.raw`package(-lock)?\.json|npm-shrinkwrap\.json|\.npmrc|\.nvmrc|\.node-version|\.tool-versions|mise\.toml`,
    String.raw`yarn\.lock|\.yarnrc(\.yml)?|pnpm-(lock|workspace)\.yaml|\.pnpmfile\.cjs|bun\.lockb?|bunfig\.toml|deno\.(jsonc?|lock)`,
    String.raw`(requirements|constraints)[^/]*\.(txt|in)|Pipfile(\.lock)?|pyproject\.toml|setup\.(py|cfg)|(poetry|uv|pdm)\.lock|poetry\.toml|uv\.toml|\.python-version|environment\.ya?ml`,
    String.raw`Cargo\.(toml|lock)|rust-toolchain(\.toml)?|go\.(mod|sum|work|work\.sum)`,
    String.raw`pom\.xml|[^/]+\.gradle(\.kts)?|gradle(-wrapper)?\.properties|libs\.versions\.toml|gradle\.lockfile`,
    String.raw`Gemfile(\.lock)?|[^/]+\.gemspec|\.ruby-version|composer\.(json|lock)|mix\.(exs|lock)`,
  ].join("|")})$|(^|/)(requirements|patches|.yarn/(releases|plugins|patches))/`,
);

export interface SetupInputs {
  commands: readonly string[];
  keep: readonly string[];
  /** Programs on the PATH, and settings in HOME. */
  toolchain: Digests;
}

/** `listing`: lines of `<mode> <type> <object>\t<path>`, as `git ls-tree -r -z` gives them. */
export function setupDigest({ commands, keep, toolchain }: SetupInputs, listing: string): string {
  const words = new Set(commands.flatMap((command) => command.split(/[\s;&|<>()'"`=]+/)).map(withoutDot));
  const files = listing.split("\0").filter((line) => {
    const path = line.slice(line.indexOf("\t") + 1);
    return INPUTS.test(path) || words.has(path) || words.has(path.slice(path.lastIndexOf("/") + 1));
  });
  return createHash("sha256")
    .update(JSON.stringify([commands, keep, Object.entries(toolchain).sort(), files]))
    .digest("hex");
}

function withoutDot(word: string): string {
  return word.replace(/^\.\//, "");
}

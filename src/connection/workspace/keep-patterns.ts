import { posix } from "node:path";
import picomatch from "picomatch";

/**
 * Which files `keep` means, by their paths in the repository. A pattern without a slash counts in every folder, as in .gitignore;
 * others are seen from the working directory. A folder stands for all that is in it.
 */
export function keepMatcher(patterns: readonly string[], workingDirectory: string): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const all = patterns.flatMap((pattern) => {
    const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
    const whole = plain.includes("/") ? posix.join(workingDirectory, plain).replace(/^\//, "") : `**/${plain}`;
    return [whole, `${whole}/**`];
  });
  return picomatch(all, { dot: true });
}

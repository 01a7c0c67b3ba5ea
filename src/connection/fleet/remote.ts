import { commitOf } from "../git/checkout.ts";
import type { RemoteAccess } from "../ports/machine-place.ts";
import { fetchBranch, type Mirror } from "./mirror.ts";
import { patiently } from "./patience.ts";

/** The remote as a checkout reaches it: by the machine's copy, whose settings are ours. */
export function remoteThrough(
  mirror: Mirror,
  { checkout, signal }: { checkout: string; signal: AbortSignal },
): RemoteAccess {
  const { git, url } = mirror;
  return {
    tip: async (branch) => {
      const { exit_code, said } = await fetchBranch(mirror, branch, signal);
      if (exit_code === 0) return { commit: await commitOf(git, `refs/heads/${branch}`) };
      return /couldn't find remote ref/.test(said) ? { commit: undefined } : { said };
    },
    push: async ({ branch, from, to }) => {
      const brought = await git([
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-auto-gc",
        checkout,
        to,
      ]);
      if (brought.exit_code !== 0) return brought;
      const ref = `refs/heads/${branch}`;
      const words = ["push", "--quiet", "--no-verify", `--force-with-lease=${ref}:${from}`, url, `${to}:${ref}`];
      return patiently(() => git(words), signal);
    },
  };
}

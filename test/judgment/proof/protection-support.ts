import { type ProtectionBasis, protectedChanges } from "../../../src/judgment/proof/protection.ts";

export const PLAIN: Omit<ProtectionBasis, "changes"> = {
  commands: ["npm test"],
  task: "Make it add.",
  files: [],
  may_change: [],
  named_only: false,
  had_tests: true,
  paths: new Set(),
  installed: new Set(["node_modules"]),
  names_package: () => false,
  packages: new Set(["packages/app"]),
  has_module: (name) => name === "sums",
  uses_doctests: false,
  text: () => undefined,
};

export function found(changes: ProtectionBasis["changes"], basis: Partial<ProtectionBasis> = {}): string[] {
  return protectedChanges({ ...PLAIN, changes, ...basis }).map(({ path, why }) => `${why} ${path}`);
}

export const modified = (path: string) => ({ path, status: "modified", is_ignored: false }) as const;
export const added = (path: string) => ({ path, status: "added", is_ignored: false }) as const;
export const ignored = (path: string, status: "added" | "modified" = "added") =>
  ({ path, status, is_ignored: true }) as const;

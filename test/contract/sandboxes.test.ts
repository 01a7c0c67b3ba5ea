import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import type { Sandbox } from "../../src/connection/ports/sandbox.ts";
import { candidatesFor, noSandbox } from "../../src/connection/processes/sandbox/choose.ts";
import { works } from "../support/spaces.ts";
import { type MakeSandbox, testPrograms, testSpaces } from "./sandbox.contract.ts";

const isRoot = process.getuid?.() === 0;

/** What the machine has and allows, as the user of the tests and, for root, as an ordinary one. */
const adapters: Record<string, MakeSandbox> = {
  bubblewrap: (folder) => named("bubblewrap", folder),
  namespaces: (folder) => named("namespaces", folder),
};

function named(adapter: Sandbox["adapter"], folder: string, isUsers = false): Sandbox {
  const found = candidatesFor({ folder }).filter((one) => one.adapter === adapter);
  return (isUsers ? found.at(-1) : found[0]) ?? noSandbox;
}

/** An ordinary user's start. Root's last candidate is what an ordinary user has. */
function unprivileged(sandbox: Sandbox, folder: string): Sandbox {
  const prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  return {
    ...sandbox,
    enclose: (program, view) => {
      const line = sandbox.enclose(program, view);
      showLists(folder);
      return line && [...prefix, ...line];
    },
  };
}

/** The lists of mounts are readable by the user who runs endless8, and that user is another one here. */
function showLists(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith("mounts-")))
    chmodSync(join(folder, name), 0o644);
}

for (const [name, make] of Object.entries(adapters)) {
  const ways: [string, MakeSandbox][] = [
    [name, make],
    ...(isRoot
      ? [
          [
            `${name} as an ordinary user`,
            (folder: string) => unprivileged(named(name as Sandbox["adapter"], folder, true), folder),
          ] as [string, MakeSandbox],
        ]
      : []),
  ];
  for (const [title, one] of ways)
    describe.skipIf(!works(one("/tmp")))(title, () => {
      testPrograms(one);
      testSpaces(one);
    });
}

describe("none", () => {
  testPrograms(() => noSandbox);
});

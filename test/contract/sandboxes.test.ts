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
function unprivileged(sandbox: Sandbox): Sandbox {
  const prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  return {
    ...sandbox,
    enclose: (program, view) => {
      const line = sandbox.enclose(program, view);
      return line && [...prefix, ...line];
    },
  };
}

for (const [name, make] of Object.entries(adapters)) {
  const ways: [string, MakeSandbox][] = [
    [name, make],
    ...(isRoot
      ? [
          [
            `${name} as an ordinary user`,
            (folder: string) => unprivileged(named(name as Sandbox["adapter"], folder, true)),
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

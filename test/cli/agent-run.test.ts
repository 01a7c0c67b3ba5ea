import { expect, test } from "vitest";
import { parserFor } from "../../src/cli/commands/agent-run.ts";
import { en } from "../../src/cli/texts/en.ts";
import { RESERVED_FLAGS } from "../../src/compose/definitions.ts";

type Given = Parameters<typeof parserFor>;

test("the flags that a definition is warned about are those that e8 agent run declares", () => {
  const agent = { name: "any", displayName: "Any", description: "any", parameters: {} };
  const command = parserFor({ agent } as unknown as Given[0], { texts: en } as Given[1], async () => {});

  const declared = [...command.options.map(({ long }) => long), "--help"];

  expect(declared.sort()).toEqual([...RESERVED_FLAGS].sort());
});

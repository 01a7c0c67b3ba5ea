import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { sandbox } from "../support/sandbox.ts";
import { accepts, always, asks, judges } from "../support/stories.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/measure-intake.mjs", import.meta.url));

test("[SC-004] the measurement counts the ambiguous criteria that the intake asks about", async () => {
  const clear = { ...accepts("it is fast enough"), when: "Speed up the search" };
  const { env, model } = await sandbox(
    story(clear, always(asks({ question: "What does that mean?" })), always(judges(false, []))),
  );

  // Over the API: the measurement is the same, and twenty Claude Codes need not be started.
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], {
    env: { ...env, ENDLESS8_DEFAULT_MODEL: `openai-compatible:some-model@${model.url}/v1` },
  });

  expect(stdout).toMatch(/^accepted {2}Speed up the search/m);
  expect(stdout).toMatch(/^asked {5}検索を速くする/m);
  expect(stdout).toMatch(/^19 of 20 \(95 %\)$/m);
});

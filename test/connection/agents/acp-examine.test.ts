import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownBackends } from "../../../src/connection/agents/acp/backend.ts";
import type { Configuration } from "../../../src/model/configuration.ts";
import type { Environment } from "../../../src/model/environment.ts";
import { findingText } from "../../../src/texts/sentences.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { ACP_PROGRAM, type AcpScript } from "./acp-support.ts";

/** A machine on which `codex-acp` is a small agent with this script, or is not there. */
async function machine(script?: AcpScript): Promise<Environment & { HOME: string }> {
  const HOME = await temporaryDirectory();
  const bin = join(HOME, "bin");
  await mkdir(bin);
  if (script) {
    const file = join(bin, "codex-acp");
    await writeFile(join(HOME, "script.json"), JSON.stringify(script));
    await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${ACP_PROGRAM}' '${join(HOME, "script.json")}'\n`);
    await chmod(file, 0o755);
  }
  return { HOME, PATH: `${bin}:/usr/bin:/bin` };
}

async function examined(environment: Environment, isNeeded = true) {
  const configuration = { agent: "codex" } as Configuration;
  const roles = isNeeded ? (["executor"] as const) : [];
  const found = await knownBackends.codex.examine?.({ configuration, project: "/", environment, roles });
  const told = (found ?? []).map((one) => findingText(one, "en"));
  for (const one of found ?? []) expect(findingText(one, "ja").message).toMatch(/\S/);
  return (found ?? []).map(({ state, code }, index) => ({ state, code, ...told[index] }));
}

test("an agent that is there is greeted, and asked nothing; its login is looked for", async () => {
  const environment = await machine({});

  expect(await examined(environment)).toMatchObject([
    { state: "ok", code: "acp_ok", message: expect.stringMatching(/^Codex 1\.2\.3 \(.*codex-acp\) speaks/) },
    { state: "problem", code: "acp_login_missing", hint: expect.stringMatching(/codex login.*OPENAI_API_KEY/) },
  ]);
  expect((await examined({ ...environment, OPENAI_API_KEY: "sk-secret" }))[1]).toMatchObject({
    code: "acp_key_untried",
  });
  await mkdir(join(environment.HOME, ".codex"));
  await writeFile(join(environment.HOME, ".codex/auth.json"), "{}");
  expect((await examined(environment))[1]).toMatchObject({ state: "ok", code: "acp_login_found" });
});

test("an agent that is not there is a problem only where a run needs it; what to type is said either way", async () => {
  const environment = await machine();

  for (const [isNeeded, state] of [
    [true, "problem"],
    [false, "ok"],
  ] as const)
    expect(await examined(environment, isNeeded)).toMatchObject([
      { state, code: "acp_absent", hint: expect.stringMatching(/npm install -g @agentclientprotocol\/codex-acp/) },
    ]);
});

test("an agent that does not speak the protocol is told of, with what it said", async () => {
  const found = await examined(await machine({ exits: 1, last_words: "broken pipe dream" }));

  expect(found).toMatchObject([
    { state: "problem", code: "acp_broken", message: expect.stringMatching(/broken pipe dream/) },
  ]);
});

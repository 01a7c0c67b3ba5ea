import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../../../model/environment.ts";

/** Settings of the user's Claude Code, or of a service it would be sent to, that must not meet a scripted model. */
const NOT_PASSED = /^(ANTHROPIC_|CLAUDE_|OPENAI_|AWS_BEARER|GOOGLE_APPLICATION)/;

/** An environment in which Claude Code and the roles over an API talk to a scripted model only, with a home of its own. */
export async function scriptedEnvironment(url: string, outer: Environment) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-scripted-")));
  const temporary = join(home, "tmp");
  await mkdir(temporary);
  const kept = Object.entries(outer).filter(([name]) => !NOT_PASSED.test(name));
  const environment: Record<string, string | undefined> = {
    ...Object.fromEntries(kept),
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    CLAUDE_CODE_TMPDIR: temporary,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted-model",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "sk-scripted-model",
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...withoutProxy(new URL(url).hostname, outer),
  };
  return { environment, remove: () => rm(home, { recursive: true, force: true }) };
}

/** A company's proxy cannot reach this machine. Other addresses still go through it. */
function withoutProxy(host: string, outer: Environment) {
  const excepted = [outer.no_proxy || outer.NO_PROXY, host].filter(Boolean).join(",");
  return { no_proxy: excepted, NO_PROXY: excepted };
}

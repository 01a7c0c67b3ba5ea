import type { Backend } from "../connection/agents/backend.ts";
import { hostOf } from "../connection/agents/claude/model-access.ts";
import { backends, chosenBackend } from "../connection/agents/registry.ts";
import type { Access } from "../connection/processes/sandbox/strict.ts";
import type { AgentChoice, Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { message } from "../model/message.ts";
import { everyWorkerOf } from "../model/workers.ts";
import { teller } from "../texts/tell.ts";

/** What a strict sandbox leaves open: for all that may work their models and servers, for worker and checks what the user names. */
export async function accessOf(
  configuration: Configuration,
  environment: Environment,
  steps: readonly AgentChoice[] = [],
): Promise<Access> {
  const { mcp_servers, sandbox_hosts: named, pass_credentials } = configuration;
  const agents = [...everyWorkerOf(configuration).map(({ agent }) => agent), ...steps];
  const found = await Promise.all(agents.map((one) => backendOf(one).access?.(environment, one)));
  const models = found.filter((model) => model !== undefined);
  const servers = Object.values(mcp_servers).flatMap((server) =>
    server !== true && "url" in server ? [hostOf(server.url)] : [],
  );
  return {
    worker_hosts: [...named, ...models.flatMap(({ hosts }) => hosts), ...servers],
    check_hosts: named,
    made: models.flatMap(({ made }) => made),
    writable: models.flatMap(({ writable }) => writable),
    readable: models.flatMap(({ readable }) => readable),
    kept: models.flatMap(({ kept }) => kept),
    pass_credentials,
    refusal: (host) => teller("en")(message("host_refused", { host })),
  };
}

function backendOf(agent: AgentChoice): Backend {
  return backends[chosenBackend(agent)];
}

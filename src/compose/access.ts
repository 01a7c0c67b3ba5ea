import type { Backend } from "../connection/agents/backend.ts";
import { hostOf } from "../connection/agents/claude/model-access.ts";
import { backends, chosenBackend } from "../connection/agents/registry.ts";
import type { Access } from "../connection/processes/sandbox/strict.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { message } from "../model/message.ts";
import { configurationsOf } from "../model/workers.ts";
import { teller } from "../texts/tell.ts";

/** What a strict sandbox leaves open: for the worker its model and its servers, for worker and checks what the user names. */
export async function accessOf(configuration: Configuration, environment: Environment): Promise<Access> {
  const { mcp_servers, sandbox_hosts: named, pass_credentials } = configuration;
  const workers = new Set<Backend>(configurationsOf(configuration).map(({ agent }) => backends[chosenBackend(agent)]));
  const models = await Promise.all([...workers].map((backend) => backend.access?.(environment)));
  const needed = models.filter((one) => one !== undefined);
  const servers = Object.values(mcp_servers).flatMap((server) =>
    server !== true && "url" in server ? [hostOf(server.url)] : [],
  );
  return {
    worker_hosts: [...named, ...needed.flatMap(({ hosts }) => hosts), ...servers],
    check_hosts: named,
    writable: needed.flatMap((one) => one.writable),
    readable: needed.flatMap((one) => one.readable),
    kept: needed.flatMap((one) => one.kept),
    pass_credentials,
    refusal: (host) => teller("en")(message("host_refused", { host })),
  };
}

import type { Backend } from "../connection/agents/backend.ts";
import { hostOf } from "../connection/agents/claude/model-access.ts";
import { backends, chosenBackend } from "../connection/agents/registry.ts";
import type { Access } from "../connection/processes/sandbox/strict.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { message } from "../model/message.ts";
import { teller } from "../texts/tell.ts";

/** What a strict sandbox leaves open: for the worker its model and its servers, for worker and checks what the user names. */
export async function accessOf(configuration: Configuration, environment: Environment): Promise<Access> {
  const { agent, mcp_servers, sandbox_hosts: named, pass_credentials } = configuration;
  const backend: Backend = backends[chosenBackend(agent)];
  const model = await backend.access?.(environment);
  const servers = Object.values(mcp_servers).flatMap((server) =>
    server !== true && "url" in server ? [hostOf(server.url)] : [],
  );
  return {
    worker_hosts: [...named, ...(model?.hosts ?? []), ...servers],
    check_hosts: named,
    writable: model?.writable ?? [],
    readable: model?.readable ?? [],
    kept: model?.kept ?? [],
    pass_credentials,
    refusal: (host) => teller("en")(message("host_refused", { host })),
  };
}

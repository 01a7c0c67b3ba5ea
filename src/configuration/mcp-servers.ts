import type { McpServers } from "../model/configuration.ts";
import type { Layer, Setting } from "./layer.ts";

const KEY = "mcp_servers";

/** The servers of all layers, each with where it was named. */
export interface ResolvedServers {
  servers: Record<string, unknown>;
  sources: Record<string, string>;
}

/**
 * A list says which servers there are, and so replaces what lower layers name; a mapping adds to them. A bare name, or
 * `true`, stands for a server defined elsewhere: in a lower layer, or in Claude Code's own files.
 */
export function resolveServers(lowestFirst: readonly Layer[]): ResolvedServers {
  const layers = lowestFirst.map((layer) => layer.get(KEY)).filter((setting) => setting !== undefined);
  let named = new Map<string, Setting>();
  for (const { value, source } of layers) {
    const servers = value as McpServers;
    const entries = Array.isArray(servers) ? servers.map((name) => [name, true] as const) : Object.entries(servers);
    const added = entries.map(([name, server]) => [name, { value: defined(server, named.get(name)), source }] as const);
    named = new Map([...(Array.isArray(servers) ? [] : named), ...added]);
  }
  const entries = [...named];
  return {
    servers: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    sources:
      entries.length > 0
        ? Object.fromEntries(entries.map(([name, { source }]) => [`${KEY}.${name}`, source]))
        : { [KEY]: layers.at(-1)?.source ?? "default" },
  };
}

function defined(server: unknown, lower: Setting | undefined): unknown {
  return server === true ? (lower?.value ?? true) : server;
}

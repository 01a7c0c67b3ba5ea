import { expect, test } from "vitest";
import { MINIMAL, resolved, type Written } from "./support.ts";

function servers({ task = "", ...rest }: Written) {
  return resolved({ ...rest, task: MINIMAL + task }).configuration.mcp_servers;
}

test("names are servers that are configured elsewhere", () => {
  expect(servers({ task: "mcp_servers: [filesystem, github]" })).toEqual({ filesystem: true, github: true });
});

test("definitions are kept as they are", () => {
  const task = `mcp_servers:
  db: {command: npx, args: [-y, db-server], env: {URL: "postgres://x"}}
  web: {type: http, url: "https://example.com/mcp", headers: {X-Team: a}}
  github: true
`;

  expect(servers({ task })).toEqual({
    db: { command: "npx", args: ["-y", "db-server"], env: { URL: "postgres://x" } },
    web: { type: "http", url: "https://example.com/mcp", headers: { "X-Team": "a" } },
    github: true,
  });
});

test("a mapping adds to the servers of a lower layer, and replaces one of the same name whole", () => {
  const project = "mcp_servers: {a: {command: low, args: [x]}, b: {command: b}}";

  expect(servers({ task: "mcp_servers: {a: {command: high}, c: true}", project })).toEqual({
    a: { command: "high" },
    b: { command: "b" },
    c: true,
  });
});

test("a list chooses: what it does not name is gone, and what it names keeps its definition below", () => {
  const project = "mcp_servers: {a: {command: a}, b: {command: b}}";

  expect(servers({ task: "mcp_servers: [b, c]", project })).toEqual({ b: { command: "b" }, c: true });
  expect(servers({ task: "mcp_servers: []", project })).toEqual({});
});

test("each server has its own source, and none at all has one as well", () => {
  const project = "mcp_servers: [a, x.y]";
  const named = resolved({ task: `${MINIMAL}mcp_servers: {b: true}`, project }).sources;
  const none = resolved({ task: `${MINIMAL}mcp_servers: []`, project }).sources;

  expect(named).toMatchObject({
    "mcp_servers.a": "endless8.yaml:1",
    "mcp_servers.x.y": "endless8.yaml:1",
    "mcp_servers.b": "task.yaml:3",
  });
  expect(none.mcp_servers).toBe("task.yaml:3");
  expect(resolved({ task: MINIMAL }).sources.mcp_servers).toBe("default");
});

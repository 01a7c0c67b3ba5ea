import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const BUILT = fileURLToPath(new URL("../../dist/dashboard/", import.meta.url));

describe("the built page", () => {
  test("takes at most 300 KB for its first picture, compressed, and leaves charts and diffs for later", async () => {
    const html = await readFile(join(BUILT, "index.html"), "utf8");
    const first = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path = ""]) => path);
    const sizes = await Promise.all(first.map(async (path) => gzipSync(await readFile(join(BUILT, path))).length));
    const sum = sizes.reduce((total, size) => total + size, gzipSync(html).length);

    expect(first.filter((path) => /chart|changes/.test(path))).toEqual([]);
    expect(sum).toBeLessThan(300_000);
    expect(sum).toBeGreaterThan(10_000);
  });

  test("makes an installation at most 3 MB larger: the page and its server; hono is there for the MCP SDK anyway", async () => {
    const sizes = await Promise.all([BUILT, join(BUILT, "../web"), join(BUILT, "../mcp")].map(sizeOf));
    const { packages } = JSON.parse(await readFile(join(BUILT, "../../package-lock.json"), "utf8"));
    const sdk = "node_modules/@modelcontextprotocol/sdk";

    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(3_000_000);
    expect(packages["node_modules/@anthropic-ai/claude-agent-sdk"].peerDependencies).toHaveProperty(
      "@modelcontextprotocol/sdk",
    );
    for (const name of ["hono", "@hono/node-server"]) {
      expect(packages[sdk].dependencies).toHaveProperty(name);
      expect(Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))).toHaveLength(1);
    }
  });
});

async function sizeOf(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(files.map(async (path) => (await stat(join(directory, path))).size));
  return sizes.reduce((total, size) => total + size, 0);
}

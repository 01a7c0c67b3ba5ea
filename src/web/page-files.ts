import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "hono";
import { E8Error } from "../model/errors.ts";

/** What `npm run compile` makes of dashboard/. `src/web`, `dist/web` and the bundle in `dist/e8` are all two levels below the package. */
export const PAGE = fileURLToPath(new URL("../../dist/dashboard/", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

export function requirePage(directory: string): void {
  if (!existsSync(join(directory, "index.html"))) throw new E8Error("dashboard_unbuilt", { path: directory });
}

/** Files of the page's own directory, and nothing else. Those with a digest in their name never change. */
export async function pageFile(context: Context, directory: string, name: string): Promise<Response> {
  const root = resolve(directory);
  const path = resolve(root, name);
  const type = TYPES[extname(path)];
  const nothing = new E8Error("dashboard_nothing", { path: context.req.path });
  if (!path.startsWith(root + sep) || type === undefined) throw nothing;
  const bytes = await readFile(path).catch(() => {
    throw nothing;
  });
  const isAsset = path.startsWith(join(root, "assets") + sep);
  return context.body(new Uint8Array(bytes), 200, {
    "content-type": type,
    "cache-control": isAsset ? "private, max-age=31536000, immutable" : "no-store",
  });
}

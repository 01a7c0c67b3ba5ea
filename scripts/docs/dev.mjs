// `npm run docs:dev`: the site on loopback, made anew when a page changes.
import { readFileSync, watch } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { buildSite } from "./build.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SITE = join(ROOT, "site");
const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
const port = Number(process.argv[2] ?? 4173);

let building = buildSite(SITE);
let soon;
for (const folder of ["docs", "scripts/docs"])
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(soon);
    soon = setTimeout(() => {
      building = building.then(() => buildSite(SITE)).catch(({ message }) => process.stderr.write(`${message}\n`));
    }, 100);
  });

createServer(async (request, response) => {
  await building;
  const { pathname } = new URL(request.url ?? "/", "http://loopback");
  const path = normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
  try {
    const content = readFileSync(join(SITE, path));
    response
      .writeHead(200, { "content-type": `${TYPES[extname(path)] ?? "application/octet-stream"}; charset=utf-8` })
      .end(content);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${port}/\n`));

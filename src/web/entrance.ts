import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Texts } from "../texts/en/catalogue.ts";
import type { Door } from "./door.ts";
import { pageFile } from "./page-files.ts";

interface House {
  door: Door;
  /** The directory of the built page. */
  page: string;
}

/** The page itself; the token of the printed address is exchanged for a cookie first, and leaves the address bar. */
export async function entrance(context: Context, { door, page }: House, texts: Texts): Promise<Response> {
  const token = context.req.query("token");
  const now = new Date();
  const isKnown = door.isKnown(getCookie(context, door.cookie), now);
  if (token === undefined && isKnown) return pageFile(context, page, "index.html");
  const value = token === undefined ? undefined : door.enter(token, now);
  if (value === undefined && !isKnown) return context.html(await stranger(page, texts), 401);
  if (value !== undefined)
    setCookie(context, door.cookie, value, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: door.max_age });
  return context.redirect("/", 303);
}

/** A browser that came from another site does not send its cookie; following a link of ours, it does. */
async function stranger(
  page: string,
  { language, dashboard: { loginTitle, login, loginAgain } }: Texts,
): Promise<string> {
  const built = await readFile(join(page, "index.html"), "utf8").catch(() => "");
  const styles = built.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>endless8</title>${styles.join("")}<main class="first"><h1>${loginTitle}</h1><p>${login}</p><a href="/">${loginAgain}</a></main></html>`;
}

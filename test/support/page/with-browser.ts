import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumHere, type Opened, openBrowser, type Program } from "./browser.ts";
import { type Fixture, fixtureServer } from "./server.ts";

export const BUILT = fileURLToPath(new URL("../../../dist/dashboard/", import.meta.url));

const program = await chromiumHere();

/** What a test looks at. */
export interface Shown {
  server: Fixture;
  page: Page;
  /** Goes to what follows the `#`, in a page that is opened anew. */
  open: (hash: string, query?: string) => Promise<void>;
}

/**
 * Tests in one real browser. On a machine without one they are skipped and say so; with `CI` set, they fail. At the end of all, the page
 * must have asked nobody but its server, and told of no error.
 */
export function describeInBrowser(name: string, tests: (shown: () => Shown) => void): void {
  describeWithChromium(name, (chromium) => describeWith(chromium, tests));
}

/** The same for tests that open a browser of their own. */
export function describeWithChromium(name: string, tests: (chromium: Program) => void): void {
  if (program) describe(name, () => tests(program));
  else describeWithout(name);
}

function describeWith(chromium: Program, tests: (shown: () => Shown) => void): void {
  let browser: Opened | undefined;
  let shown: Shown | undefined;
  const elsewhere: string[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    const server = await fixtureServer(BUILT);
    browser = await openBrowser(chromium);
    const page = await browser.context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("request", (request) => {
      if (!request.url().startsWith(server.address) && !request.url().startsWith("file:"))
        elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("ERR_")) errors.push(message.text());
    });
    const open = async (hash: string, query = "") => {
      await page.goto("about:blank");
      await page.goto(`${server.address}${query}${hash}`);
      await page.locator("h1, .ending").first().waitFor();
    };
    shown = { server, page, open };
  });
  afterAll(async () => {
    await browser?.close();
    await shown?.server.close();
  });
  tests(() => {
    if (!shown) throw new Error("The browser is only there while tests run.");
    return shown;
  });
  test("nothing was asked of anybody else, and no script or style was refused", () => {
    expect(elsewhere.filter((address) => address !== "about:blank")).toEqual([]);
    expect(errors).toEqual([]);
  });
}

const MISSING = "no Chromium: `npm ci` brings one for Linux on x64; elsewhere, have `chromium` on the PATH";

function describeWithout(name: string): void {
  if (process.env.CI) {
    test(name, () => {
      throw new Error(MISSING);
    });
    return;
  }
  process.stderr.write(`Skipped: ${name} (${MISSING})\n`);
  describe.skip(`${name} (${MISSING})`, () => test("needs a Chromium", () => {}));
}

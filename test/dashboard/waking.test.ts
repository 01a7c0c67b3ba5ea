import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startDashboard } from "../../src/web/server.ts";
import { dashboardBox } from "../support/dashboard.ts";
import { openBrowser, type Program } from "../support/page/browser.ts";
import { wireTo } from "../support/page/wire.ts";
import { BUILT, describeWithChromium } from "../support/page/with-browser.ts";

/** The page of a live run, from the real server, over a wire that can be cut. */
async function livePage(chromium: Program) {
  const box = await dashboardBox({ page: BUILT });
  const { id, open } = await box.running();
  const say = (text: string) => open.events.append({ type: "text", role: "executor", text });
  await say("before");
  const port = Number(box.url.port);
  const wire = await wireTo(() => port);
  const browser = await openBrowser(chromium, [`--host-resolver-rules=MAP 127.0.0.1:${port} 127.0.0.1:${wire.port}`]);
  onTestFinished(() => browser.close());
  const [name = "", value = ""] = box.cookie.split("=");
  await browser.context.addCookies([{ name, value, url: box.url.origin }]);
  const page = await browser.context.newPage();
  await page.clock.install();
  await page.goto(`${box.url.origin}/#/task/${box.key}/${id}/live`);
  await page.getByText("before").waitFor();
  expect(wire.connections()).toBeGreaterThan(0);
  return { box, say, port, wire, browser, page };
}

/** The texts of the stream, in their order. */
async function shownIn(page: Page): Promise<string[]> {
  const texts = await page.locator(".event .said").allTextContents();
  return texts.map((text) => text.trim());
}

/** Lets time pass quickly until the page shows these texts, each once. */
async function shows(page: Page, texts: readonly string[]): Promise<void> {
  const later = async () => {
    await page.clock.fastForward(3_000);
    return shownIn(page);
  };
  await expect.poll(later, { timeout: 60_000, interval: 1_000 }).toEqual(texts);
}

describeWithChromium("a page that was left open", (chromium) => {
  test("catches up when its laptop wakes: its connections have died meanwhile, and nobody has said so", async () => {
    const { say, wire, browser, page } = await livePage(chromium);
    const system = await browser.context.newCDPSession(page);

    await system.send("Page.setWebLifecycleState", { state: "frozen" });
    wire.cut();
    for (const text of ["in the night", "in the morning"]) await say(text);
    await system.send("Page.setWebLifecycleState", { state: "active" });
    await page.clock.fastForward("08:00:00");

    await shows(page, ["before", "in the night", "in the morning"]);
    await say("at breakfast");
    await page.getByText("at breakfast").waitFor();
    expect(await shownIn(page)).toEqual(["before", "in the night", "in the morning", "at breakfast"]);
    expect(await page.locator(".link").textContent()).toBe("Connected");
  });

  test("notices that its connection is dead while it is looked at: the server gives signs of life", async () => {
    const { say, wire, page } = await livePage(chromium);

    wire.cut();
    await say("unheard");

    await shows(page, ["before", "unheard"]);
  });

  test("goes on after its server was started anew, with the cookie that it has", async () => {
    const { box, say, port, page } = await livePage(chromium);

    await box.dashboard.close();
    await page.getByText("trying again").waitFor();
    await say("while it was away");
    const again = await startDashboard({ ...box.options, port });
    onTestFinished(() => again.close());

    await shows(page, ["before", "while it was away"]);
    await say("after it was back");
    await page.getByText("after it was back").waitFor();
    expect(await shownIn(page)).toEqual(["before", "while it was away", "after it was back"]);
  });

  test("lets go of its connection while nobody sees it, so that other pages have theirs, and catches up when it is seen", async () => {
    const { say, wire, browser, page } = await livePage(chromium);
    await page.clock.resume();
    const address = page.url();
    const others = [];
    for (let number = 0; number < 8; number += 1) others.push(await browser.context.newPage());

    await see(page, false);
    await page.clock.fastForward(15_000);
    for (const other of others) {
      await other.clock.install();
      await other.goto(address);
      await other.getByText("before").waitFor();
      await see(other, false);
      await other.clock.fastForward(15_000);
    }
    await say("unseen");
    expect(await shownIn(page)).toEqual(["before"]);
    await see(page, true);

    await page.getByText("unseen").waitFor();
    expect(wire.connections()).toBeLessThan(20);
  });
});

/** As the browser tells a page that it is in front, or behind another one. A browser without a screen shows all its pages. */
async function see(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${!isSeen}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

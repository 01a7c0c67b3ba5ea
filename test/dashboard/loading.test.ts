import { expect, test } from "vitest";
import { rowOf } from "../support/page/runs.ts";
import { describeInBrowser } from "../support/page/with-browser.ts";

const run = (number: number, rest = "") => `#/task/${rowOf(number).project}/${rowOf(number).task_id}${rest}`;

describeInBrowser("what the page loads later", (shown) => {
  test("the parts of a run are shown one after the other, as their keys are pressed", async () => {
    const { page, open } = shown();
    await open(run(6));
    const landmarks = [".matrix", ".iteration", ".event", ".diff-line", ".review, .empty", ".graph svg", ".knowledge"];
    for (const [index, landmark] of [...landmarks, ".chart"].entries()) {
      await page.keyboard.press(String(index + 1));
      await page.locator(landmark).first().waitFor();
    }
  });

  test("the address of the latest run leads to what it does now", async () => {
    const { page, open } = shown();
    await open("#/latest");
    await page.locator(".event").first().waitFor();
    expect(page.url()).toContain(run(0, "/live"));
  });

  test("a server that is away is told in plain words, and the page goes on by itself when it is back", async () => {
    const { page, open, server } = shown();
    const ways = [`${server.address}api/**`, `${server.address}assets/**`];
    const away = (isAway: boolean) =>
      Promise.all(ways.map((way) => (isAway ? page.route(way, (route) => route.abort()) : page.unroute(way))));
    for (const [hash, landmark] of [
      [run(1), ".matrix"],
      ["#/figures", ".chart canvas"],
    ] as const) {
      await open("#/backlog/shop");
      await page.locator(".card").first().waitFor();
      await away(true);
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByText("The dashboard does not answer.").waitFor();
      expect(await page.locator(".problem code").textContent()).toBe("e8 dashboard");
      await away(false);
      await page.locator(landmark).first().waitFor();
    }
  });
});

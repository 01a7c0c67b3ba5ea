import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { ReportData } from "../../src/model/dashboard.ts";
import { reportPage } from "../../src/web/report/report-page.ts";
import { diffOf } from "../support/page/diff.ts";
import { eventOf } from "../support/page/events.ts";
import { hostileRun } from "../support/page/hostile.ts";
import { rowOf, runOf } from "../support/page/runs.ts";
import { describeInBrowser } from "../support/page/with-browser.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const run = (number: number, rest = "") => `#/task/${rowOf(number).project}/${rowOf(number).task_id}${rest}`;

/** Each page, and what it shows when it is there. */
const PAGES: [name: string, hash: string, landmark: string][] = [
  ["the tasks", "#/tasks", "ul a.task"],
  ["a run", run(1), ".evidence pre"],
  ["questions", run(4), ".questions button"],
  ["the timeline", run(1, "/timeline"), ".iteration"],
  ["the live stream", run(0, "/live"), ".event"],
  ["the changes", run(1, "/changes"), ".diff-line .text"],
  ["the proof", run(1, "/proof"), ".review"],
  ["a flow", run(6, "/flow"), ".graph svg"],
  ["knowledge", run(1, "/knowledge"), ".knowledge .prose"],
  ["a run's figures", run(1, "/figures"), ".chart canvas"],
  ["all figures", "#/figures", ".chart canvas"],
  ["the backlog", "#/backlog/shop", ".card"],
  ["a new task", "#/new", "form.start"],
];

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(await readFile(AXE, "utf8"));
  const only = rules ? `, { runOnly: ${JSON.stringify(rules)} }` : "";
  return page.evaluate<string[]>(
    `axe.run(document${only}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`,
  );
}

describeInBrowser("the page", (shown) => {
  describe.each(PAGES)("%s", (_, hash, landmark) => {
    test("has nothing that axe finds, in light and dark, wide and on a phone", async () => {
      const { page, open } = shown();
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(hash);
      await page.locator(landmark).first().waitFor();
      expect(await findings(page)).toEqual([]);

      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      expect(await findings(page, ["color-contrast"])).toEqual([]);

      await page.setViewportSize({ width: 360, height: 740 });
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    });
  });

  test("has nothing that axe finds in what opens: the keys, a question back, an iteration", async () => {
    const { page, open } = shown();
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1280, height: 800 });
    const opened: [hash: string, act: () => Promise<void>, landmark: string][] = [
      ["#/tasks", () => page.keyboard.press("?"), "dialog .keys"],
      [run(1), () => page.getByRole("button", { name: "Roll back" }).click(), "dialog select"],
      [run(1, "/timeline"), () => page.locator(".iteration .line").first().click(), ".phase-list"],
    ];
    for (const [hash, act, landmark] of opened) {
      await open(hash);
      await act();
      await page.locator(landmark).first().waitFor();
      expect(await findings(page)).toEqual([]);
    }
  });

  test("a wait counts down, and the present step of a flow is lit", async () => {
    const { page, open } = shown();
    await open(run(6, "/flow"));
    const left = page.locator(".state").getByText(/\d+ min \d+ s left/);
    const before = await left.textContent();
    await expect.poll(() => left.textContent()).not.toBe(before);
    expect(await page.locator('.graph [data-current="true"]').textContent()).toContain("Run the checks");
  });

  test("what agents and files say is shown as text, and signs that hide are seen", async () => {
    const { page, open } = shown();
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(run(5));

    const title = await page.locator("h1").textContent();
    expect(title).toContain(`<img src=x onerror="window.pwned=1">`);
    expect(title).toContain("safe<U+202E>txt.exe<U+200B>");
    expect(await page.evaluate("window.pwned")).toBeUndefined();
  });

  test("is used without a mouse: ? lists the keys, j and Enter open a task, figures its parts, Escape leaves it", async () => {
    const { page, open } = shown();
    await open("#/tasks");
    await page.locator("a.task").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("to the backlog").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.locator("a.task:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".matrix").waitFor();
    await page.keyboard.press("2");
    await page.locator(".iteration").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator("ul a.task").first().waitFor();
  });

  test("the arrow keys walk through the matrix, and Enter shows the evidence", async () => {
    const { page, open } = shown();
    await open(run(1, "/overview?iteration=8&criterion=1"));
    await page.locator("#cell-1-8").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Criterion 2, iteration 7" }).waitFor();
  });

  test("an event is shown as it happens, also after the server was away", async () => {
    const { page, open, server } = shown();
    await open(run(0, "/live"));
    await page.locator(".event").first().waitFor();
    server.send({ ...eventOf(1), seq: 41, event: { type: "text", role: "executor", text: "before the restart" } });
    await page.getByText("before the restart").waitFor();
    server.drop();
    await page.locator(".link", { hasText: "trying again" }).waitFor();
    server.send({ ...eventOf(1), seq: 42, event: { type: "text", role: "executor", text: "while it was away" } });
    await page.getByText("while it was away").waitFor();
    expect(await page.getByText("before the restart").count()).toBe(1);
  });

  test("a task of the list changes as its run goes on", async () => {
    const { page, open, server } = shown();
    await open("#/tasks");
    await page.locator("a.task").first().waitFor();
    server.sendRows([{ ...rowOf(0), title: "A new title" }]);
    await page.getByText("A new title").waitFor();
  });

  test("a quotation of the reviewer leads to its line in the diff", async () => {
    const { page, open } = shown();
    await open(run(1, "/proof"));
    await page.getByRole("link", { name: "src/cart.ts, line 14" }).click();
    expect(await page.locator('.diff-line[data-shown="true"] .text').textContent()).toContain(
      "const cents = amount * 100;",
    );
  });

  test("rolling back asks first, and a note reaches the server", async () => {
    const { page, open, server } = shown();
    await open(run(1));
    server.asked.length = 0;
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("dialog").getByText("The files of the project are set back").waitFor();
    expect(server.asked).toEqual([]);
    await page.getByRole("dialog").getByLabel("To the files after").selectOption("iteration 3");
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await expect.poll(() => server.asked.map(({ body }) => body)).toEqual([{ do: "rollback", to: 3 }]);

    await open(run(0));
    await page.locator("h1").waitFor(); // keys do nothing before the page is there
    await page.keyboard.press("m");
    await page.getByLabel("Your note").fill("Look at the invoice module.");
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => server.asked.at(-1)?.body).toEqual({ do: "tell", text: "Look at the invoice module." });
  });

  test("a running task is paused and cancelled, a stopped one resumed, and any forked; cancelling asks first", async () => {
    const { page, open, server } = shown();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const asked = () => expect.poll(() => server.asked.map(({ path, body }) => [path, body]));
    const at = (number: number) => `/tasks/${rowOf(number).project}/${rowOf(number).task_id}`;

    await open(run(0));
    server.asked.length = 0;
    await button("Pause").click();
    await asked().toEqual([[at(0), { do: "pause" }]]);
    await open(run(0));
    await button("Cancel the run").click();
    await page.getByRole("dialog").getByText("The worker is stopped.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    expect(server.asked).toHaveLength(1);
    await button("Cancel the run").click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
    await asked().toEqual([
      [at(0), { do: "pause" }],
      [at(0), { do: "cancel" }],
    ]);

    server.asked.length = 0;
    await open(run(4));
    await button("Resume").click();
    await asked().toEqual([[at(4), { do: "resume" }]]);
    await open(run(0));
    await button("Fork").click();
    await page.getByRole("dialog").getByLabel("From the files after").selectOption("iteration 2");
    await page.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
    await asked().toEqual([
      [at(4), { do: "resume" }],
      [at(0), { do: "fork", from: 2 }],
    ]);
    await page.waitForURL((url) => url.hash.includes(rowOf(1).task_id)); // the task that the fork made
  });

  test("questions are answered in their order, with a suggestion or in own words", async () => {
    const { page, open, server } = shown();
    await open(run(4));
    await page.getByRole("button", { name: "half to even" }).click();
    await page.getByLabel("Your answer").last().fill("yes");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await expect.poll(() => server.asked.at(-1)?.body).toEqual({ do: "answer", answers: ["half to even", "yes"] });
  });

  test("a task begins with what `e8 init` asks for", async () => {
    const { page, open, server } = shown();
    await open("#/new");
    await page.getByLabel("What do you want done?").fill("Make it fast");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Give at least one sentence or one command.").waitFor();
    await page.getByLabel("Command 1").fill("npm test");
    await page.getByLabel("US dollars at most").fill("2.5");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator(".matrix").waitFor();
    expect(server.asked.at(-1)?.body).toEqual({
      project: "shop",
      task: "Make it fast",
      criteria: [],
      checks: ["npm test"],
      max_cost: 2.5,
    });
  });

  test("a run of a thousand iterations draws only what is seen", async () => {
    const { page, open } = shown();
    await open(run(7));
    await page.locator("#cell-1-1000").waitFor();
    expect(await page.locator(".matrix button").count()).toBeLessThan(400);
    await open(run(7, "/timeline"));
    await page.locator(".iteration").first().waitFor();
    expect(await page.locator(".iteration").count()).toBeLessThan(60);
  });

  test("speaks Japanese", async () => {
    const { page, open } = shown();
    await open("#/tasks", "?lang=ja");
    await page.getByRole("heading", { name: "タスク" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("ja");
  });

  test("a report from a file shows the same without a server", async () => {
    const { page } = shown();
    const view = { ...runOf(1, 8, false), title: hostileRun(1).title };
    const evidence = [
      {
        iteration: 8,
        id: 1,
        is_met: true,
        said: "",
        quoted: "</script><b>43 passed",
        is_cut: false,
        source: "command",
        confidence: 1,
      },
    ];
    const data: ReportData = {
      language: "en",
      made_at: "2026-03-04T10:00:00Z",
      view,
      evidence,
      diffs: [diffOf(0, 8, 40)],
      knowledge: [],
    };
    const path = join(await temporaryDirectory(), "run.html");
    await writeFile(path, await reportPage(data));
    await page.goto(pathToFileURL(path).href);
    await page.locator("#cell-1-8").waitFor();
    await page.getByText("</script><b>43 passed").waitFor();
    await page.getByRole("link", { name: "Changes", exact: true }).click();
    await page.getByText("function rounded").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("parts of a run, in order").waitFor();
    expect(await page.getByRole("dialog").getByText("to the backlog").count()).toBe(0);
  });
});

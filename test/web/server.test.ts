import { describe, expect, test } from "vitest";
import { dashboardBox } from "../support/dashboard.ts";
import { finalResult, judgment, spending, summary } from "../support/stored.ts";

const met = (id: number, is_met: boolean, evidence = "42 tests") => ({
  ...{ id, criterion: "`npm test` exits 0", is_met, evidence, confidence: 1, source: "command" as const },
});

describe("who is let in", () => {
  test("is the first browser with the token: it gets a cookie that no script can read, and the token leaves the address", async () => {
    const { entered, url, fetchRaw } = await dashboardBox();

    expect(entered.status).toBe(303);
    expect(entered.headers.location).toBe("/");
    expect(String(entered.headers["set-cookie"])).toMatch(/^e8_\d+=.+HttpOnly; SameSite=Strict$/);
    const again = await fetchRaw(`/${url.search}`);
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
  });

  test("a browser without the cookie, or with a made-up one, sees no task and changes none", async () => {
    const { fetchRaw, key, task, cookie } = await dashboardBox();
    const id = await task();

    for (const headers of [{}, { cookie: "e8_1=9.x" }, { cookie: cookie.replace(/\.[^.]*$/, ".AAAA") }] as Record<
      string,
      string
    >[])
      for (const path of ["/api/session", "/api/tasks", "/api/events", `/api/tasks/${key}/${id}`]) {
        const { status, text } = await fetchRaw(path, { headers });
        expect(status).toBe(401);
        expect(JSON.parse(text)).toMatchObject({
          code: "dashboard_refused",
          hint: expect.stringContaining("e8 dashboard"),
        });
      }
    expect((await fetchRaw("/")).text).not.toContain("the page");
  });

  test("a request under another host's name is refused, with the cookie, too: a page elsewhere may have its name point here", async () => {
    const { get, url } = await dashboardBox();

    for (const host of ["evil.example", `evil.example:${url.port}`, "127.0.0.1:1", "127.0.0.1.evil.example"])
      expect((await get("/api/tasks", { host })).status).toBe(403);
    expect((await get("/api/tasks", { host: `localhost:${url.port}` })).status).toBe(200);
  });

  test("what another site's page has the browser send is refused", async () => {
    const { get, post, fetchRaw, key, task, cookie, url } = await dashboardBox();
    const id = await task();
    const path = `/api/tasks/${key}/${id}`;

    expect((await post(path, { do: "tell", text: "hi" }, { origin: "http://evil.example" })).status).toBe(403);
    expect((await post(path, { do: "tell", text: "hi" }, { origin: `http://127.0.0.1:1` })).status).toBe(403);
    const bare = { method: "POST", headers: { cookie, "content-type": "application/json" }, body: "{}" };
    expect((await fetchRaw(path, bare)).status).toBe(403);
    expect((await get(path, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const form = { cookie, origin: url.origin, "content-type": "text/plain" };
    expect((await fetchRaw(path, { method: "POST", headers: form, body: '{"do":"cancel"}' })).status).toBe(400);
  });

  test("a dashboard that only shows refuses every change", async () => {
    const { post, get, key, task } = await dashboardBox({ isReadOnly: true });
    const id = await task();

    for (const [path, body] of [
      ["/api/tasks", { project: key, task: "Do it" }],
      [`/api/tasks/${key}/${id}`, { do: "tell", text: "hi" }],
      [`/api/tasks/${key}/${id}`, { do: "cancel" }],
    ] as const) {
      const { status, text } = await post(path, body);
      expect([status, JSON.parse(text).code]).toEqual([403, "dashboard_refused"]);
    }
    expect(JSON.parse((await get("/api/session")).text)).toMatchObject({ read_only: true, version: "9.9.9" });
  });
});

describe("what every answer says to the browser", () => {
  test("no inline script, no other origin, no frame, no guess at types, no referrer", async () => {
    const { get, fetchRaw } = await dashboardBox();

    for (const { headers } of [await get("/"), await get("/api/tasks"), await fetchRaw("/"), await get("/nothing")]) {
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  test("its own files are given out, and nothing beside them", async () => {
    const { get } = await dashboardBox();

    expect((await get("/")).text).toContain("the page");
    const asset = await get("/assets/main-1a2b.js");
    expect([asset.status, asset.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(asset.headers["cache-control"]).toContain("immutable");
    for (const path of [
      "/assets/../../outside.js",
      "/assets/..%2f..%2foutside.js",
      "/assets/%2e%2e%2foutside.js",
      "/assets/main.js",
      "/assets/",
    ])
      expect((await get(path)).status).toBe(404);
  });

  test("an id that is none reaches no file", async () => {
    const { get, key } = await dashboardBox();

    for (const id of ["..%2f..%2fetc", "%2e%2e", "2026-01-01T00-00-00%00", "nothing"])
      expect([400, 404]).toContain((await get(`/api/tasks/${key}/${id}`)).status);
    expect((await get("/api/tasks/elsewhere/2026-01-01T00-00-00")).status).toBe(404);
  });
});

describe("what is shown", () => {
  test("a list has a row for each task, with the words of whoever wrote it as they are", async () => {
    const { get, key, task } = await dashboardBox();
    const hostile = "<img src=x onerror=alert(1)>\u001b]0;own\u0007 \u202Egnp";
    const id = await task(
      async ({ history, task: { task_id } }) => {
        await history.append(summary(1));
        await history.append(judgment(1, [met(1, true)]));
        await history.append(finalResult(task_id));
      },
      { task: `${hostile}\nmore` },
    );

    const answer = await get("/api/tasks");
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(JSON.parse(answer.text)).toMatchObject([
      {
        project: key,
        task_id: id,
        title: hostile,
        status: "completed",
        iterations: 1,
        criteria: 1,
        max_iterations: 10,
      },
    ]);
  });

  test("a run's page has its criteria over all iterations, its timeline, what it took, and the way on", async () => {
    const { get, key, task } = await dashboardBox();
    const id = await task(async ({ history, ledger, events }) => {
      await events.append({ type: "iteration-start", iteration: 1, max_iterations: 10 });
      await events.append({ type: "phase-start", phase: "execute", iteration: 1 });
      await history.append(summary(1));
      await ledger.append(spending(1));
      await history.append(judgment(1, [met(1, false)]));
      await history.append(summary(2));
      await history.append(judgment(2, [met(1, true)]));
    });

    const view = JSON.parse((await get(`/api/tasks/${key}/${id}`)).text);
    expect(view).toMatchObject({
      task: "Raise the coverage",
      status: "interrupted",
      seq: 2,
      next: `e8 run --resume ${id}`,
    });
    expect(view.rows).toEqual([
      {
        ...{ id: 1, kind: "command", text: "npm test", command: "npm test" },
        cells: [
          { iteration: 1, is_met: false },
          { iteration: 2, is_met: true },
        ],
      },
    ]);
    expect(view.timeline).toMatchObject([
      {
        iteration: 1,
        approach: "approach 1",
        phases: [{ phase: "execute" }],
        usage: { tokens: 10 },
        is_complete: false,
      },
      { iteration: 2, reason: "reason 2", is_complete: true, criteria_met: 1 },
    ]);
    expect(view.usage_by_role).toEqual({ executor: { tokens: 10, cost_usd: 0.5, seconds: 1 } });
  });

  test("the evidence of a cell is asked for by itself, and quoted as it was", async () => {
    const { get, key, task } = await dashboardBox();
    const quoted = "</script><b>1 failed</b>";
    const id = await task(async ({ history }) => {
      await history.append(summary(1));
      await history.append(judgment(1, [met(1, false, quoted)]));
    });

    const path = `/api/tasks/${key}/${id}/evidence`;
    expect(JSON.parse((await get(`${path}?iteration=1&id=1`)).text)).toMatchObject({
      quoted,
      is_met: false,
      source: "command",
    });
    expect((await get(`${path}?iteration=2&id=1`)).status).toBe(404);
    expect((await get(`${path}?iteration=-1&id=x`)).status).toBe(400);
  });

  test("errors come in the reader's language, with what to do", async () => {
    const { get, key } = await dashboardBox();
    const path = `/api/tasks/${key}/2026-01-01T00-00-00`;

    const japanese = JSON.parse((await get(path, { "accept-language": "ja-JP,ja;q=0.9,en;q=0.8" })).text);
    expect(japanese).toMatchObject({ code: "task_not_found", message: expect.stringMatching(/\p{Script=Hiragana}/u) });
    const english = JSON.parse((await get(`${path}?lang=en`, { "accept-language": "ja" })).text);
    expect(english.message).not.toMatch(/\p{Script=Hiragana}/u);
    expect(english.hint).not.toBe("");
  });
});

describe("what is asked of a task", () => {
  test("a note reaches its next worker", async () => {
    const { post, get, key, task } = await dashboardBox();
    const id = await task();

    const { status, text } = await post(`/api/tasks/${key}/${id}`, { do: "tell", text: "Use the old API" });
    expect([status, JSON.parse(text)]).toEqual([200, { said: expect.stringContaining(id), task_id: id }]);
    expect(JSON.parse((await get(`/api/tasks/${key}/${id}`)).text).notes).toMatchObject([{ text: "Use the old API" }]);
  });

  test("what cannot be is refused with its code, and a body that is none with what is wrong in it", async () => {
    const { post, key, task } = await dashboardBox();
    const id = await task();
    const path = `/api/tasks/${key}/${id}`;

    expect((await post(path, { do: "cancel" })).status).toBe(409);
    expect((await post(path, { do: "answer", answers: ["yes"] })).status).toBe(409);
    expect((await post(path, { do: "explode" })).status).toBe(400);
    expect((await post(path, { do: "tell", text: "hi", more: 1 })).status).toBe(400);
    expect((await post("/api/tasks", { project: "elsewhere", task: "Do it" })).status).toBe(404);
    expect((await post(path, { do: "tell", text: "x".repeat(2_000_000) })).status).toBe(400);
  });
});

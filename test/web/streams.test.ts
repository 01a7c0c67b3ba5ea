import { expect, onTestFinished, test, vi } from "vitest";
import { eventStream } from "../../src/web/server-events.ts";
import { dashboardBox, readEvents } from "../support/dashboard.ts";

const said = (text: string) => ({ type: "text" as const, role: "executor" as const, text });

function seqsIn(stream: string): number[] {
  return [...stream.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
}

test("a page gets the events after the one that it has seen, then those to come, each once and in order", async () => {
  const { url, cookie, key, running } = await dashboardBox();
  const { id, open } = await running();
  for (const text of ["one", "two", "three"]) await open.events.append(said(text));

  let isTold = false;
  const path = `/api/tasks/${key}/${id}/events?after=1`;
  const stream = await readEvents(url, {
    ...{ path, cookie },
    until: (text) => {
      if (text.includes("three") && !isTold) {
        isTold = true;
        void open.events.append(said("four"));
      }
      return text.includes("four");
    },
  });

  expect(seqsIn(stream)).toEqual([2, 3, 4]);
  expect(stream).toContain("📝 two");
});

test("a page that comes back goes on where its connection was lost, and follows the task's next run", async () => {
  const { url, cookie, key, task, project } = await dashboardBox();
  const id = await task(async ({ events }) => {
    for (const text of ["one", "two"]) await events.append(said(text));
  });
  const { fileStore } = await import("../../src/connection/stores/files/file-store.ts");

  let next: Promise<void> | undefined;
  const resumed = async () => {
    const open = await fileStore(project).open(id);
    await open.events.append(said("three"));
    await open.release();
  };
  const stream = await readEvents(url, {
    ...{ path: `/api/tasks/${key}/${id}/events?after=0`, cookie, headers: { "last-event-id": "1" } },
    until: (text) => {
      if (text.includes("two")) next ??= resumed();
      return text.includes("three");
    },
  });
  await next;

  expect(seqsIn(stream)).toEqual([2, 3]);
});

test("the list tells which rows are different once a run begins, goes on and ends", async () => {
  const { url, cookie, get, task, running } = await dashboardBox();
  await task();
  await get("/api/tasks");

  let begun: Promise<string> | undefined;
  const live = async () => {
    const { id, open } = await running();
    await open.events.append({ type: "phase-start", phase: "execute", iteration: 1 });
    return id;
  };
  const stream = await readEvents(url, {
    ...{ path: "/api/events", cookie },
    until: (text) => {
      begun ??= live();
      return text.includes('"doing":{"phase":"execute"}');
    },
  });

  expect(stream).toContain("event: tasks");
  expect(stream).toContain((await begun) ?? "nothing");
});

test("the list tells which tasks are gone", async () => {
  const { url, cookie, get, key, task, project } = await dashboardBox();
  const id = await task();
  await get("/api/tasks");
  const { fileStore } = await import("../../src/connection/stores/files/file-store.ts");

  let removed: Promise<unknown> | undefined;
  const stream = await readEvents(url, {
    ...{ path: "/api/events", cookie },
    until: (text) => {
      removed ??= fileStore(project).remove(id);
      return text.includes('"gone":[{');
    },
  });
  await removed;

  expect(stream).toContain(JSON.stringify({ rows: [], gone: [{ project: key, task_id: id }] }));
});

test("a closed dashboard ends its streams", async () => {
  const { url, cookie, key, running, dashboard } = await dashboardBox();
  const { id, open } = await running();
  await open.events.append(said("one"));

  let closed: Promise<void> | undefined;
  const stream = await readEvents(url, {
    ...{ path: `/api/tasks/${key}/${id}/events?after=0`, cookie },
    until: (text) => {
      if (text.includes("one")) closed ??= dashboard.close();
      return false;
    },
  });
  await closed;

  expect(seqsIn(stream)).toEqual([1]);
});

test("a stream in which nothing happens gives a sign of life that a page is told of", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closing = new AbortController();
  const nothing = async function* (signal: AbortSignal) {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    yield* [];
  };
  const reader = eventStream(nothing, { closing: closing.signal, redact: (text) => text }).body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);
  await next(); // how soon to ask again

  const sign = next();
  await vi.advanceTimersByTimeAsync(15_000);

  expect(await sign).toBe("event: here\ndata: 1\n\n");
  closing.abort();
});

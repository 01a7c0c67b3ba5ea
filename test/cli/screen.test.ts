import { expect, test } from "vitest";
import { openScreen } from "../../src/cli/live/screen.ts";
import { terminalOutput } from "../../src/cli/output.ts";
import type { EventEnvelope } from "../../src/model/events.ts";
import { en } from "../../src/texts/en/catalogue.ts";

function envelope(seq: number, event: EventEnvelope["event"]): EventEnvelope {
  return { v: 1, task_id: "2026-01-23T10-00-00", seq, at: "2026-01-23T10:00:00.000Z", event };
}

const events = [
  envelope(1, { type: "iteration-start", iteration: 1, max_iterations: 3 }),
  envelope(2, { type: "text", role: "executor", text: "two\nlines" }),
];

async function shownWith(options: Parameters<typeof openScreen>[0]) {
  const [progress, results]: [string[], string[]] = [[], []];
  const output = {
    ...terminalOutput(),
    progress: (text: string) => void progress.push(text),
    result: (line: string) => void results.push(line),
    paint: (_: string, text: string) => text,
  };
  const screen = await openScreen(options, { texts: en, output });
  for (const one of events) screen.show(one);
  screen.stopping();
  screen.close();
  return { progress, results };
}

test("with --json-events each event is a line of JSON on stdout, and nothing else is said", async () => {
  const { progress, results } = await shownWith({ jsonEvents: true, verbose: true });

  expect(results.map((line) => JSON.parse(line))).toEqual(events);
  expect(results.join("")).not.toContain("\n");
  expect(progress).toEqual([]);
});

test("plain lines go to stderr, and none of them to stdout", async () => {
  const { progress, results } = await shownWith({ plain: true, verbose: true });

  expect(progress).toEqual(["iteration 1 of 3", "    📝 two lines", en.stopping]);
  expect(results).toEqual([]);
});

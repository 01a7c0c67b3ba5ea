import { expect, test } from "vitest";
import { fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";

const LIMITED = story(scene({ who: "executor", repeat: true }, fault({ status: 429, resets_in: 7300 })));

test("while one agent is limited the next one works; run, report and show say so", async () => {
  const { e8, write, records } = await quickSandbox();
  await write("limited.json", JSON.stringify(LIMITED));
  await write("endless8.yaml", "models: {summarizer: none}\n");
  const agents = ["--agent", "scripted:limited.json", "--agent", "command:echo ok > done.txt; echo worked"];
  const task = ["run", "Make done.txt", "--check", "grep -q ok done.txt", "--no-intake", "--no-review", ...agents];

  const planned = await e8([...task, "--dry-run"]);
  expect(planned.stdout).toMatch(/^fallbacks +\[\{"agent":\{"command":.* +flag --agent$/m);

  const ended = await e8(task);
  expect(ended.code).toBe(0);
  const change = /scripted:limited\.json cannot be asked until \S+ \S+, so command:echo ok .* takes over/;
  expect(ended.stderr).toMatch(change);
  expect(ended.stdout + ended.stderr).toMatch(/worked: command:echo ok .*\(1 iteration\)/);
  expect((await records()).map(({ type }) => type).slice(0, 2)).toEqual(["worker", "summary"]);

  const shown = await e8(["show"]);
  expect(shown.stdout).toMatch(change);
  expect(shown.stdout).toContain("by command:echo ok");

  const inJapanese = await e8(["show", "--lang", "ja"]);
  expect(inJapanese.stdout).toMatch(/まで scripted:limited\.json を使えないため、command:echo .* が引き継ぎます/);
  expect(inJapanese.stdout).toContain("作業者：command:echo ok");
});

test("a program works on while the agent before it is limited, without summaries of a model, and with what is true told", async () => {
  const { e8, write, records } = await quickSandbox();
  const limit = fault({ status: 429, resets_in: 7300 });
  const scenes = (["executor", "summarizer"] as const).map((who) => scene({ who, repeat: true }, limit));
  await write("limited.json", JSON.stringify(story(...scenes)));
  const agents = ["--agent", "scripted:limited.json", "--agent", "command:test -f a && echo x > b; echo x > a"];

  const ended = await e8(["run", "Make b", "--check", "test -f b", "--no-review", "--no-intake", ...agents]);

  expect(ended.code).toBe(0);
  const all = await records();
  expect(all.map(({ type }) => type).slice(0, 3)).toEqual(["worker", "summary", "judgment"]);
  expect(all.filter(({ type }) => type === "worker")).toHaveLength(1);
  expect(ended.stderr).not.toMatch(/waiting|asking again/);
  expect(
    ended.stderr.match(/summary was made without a model: scripted:limited\.json cannot be asked now/g),
  ).toHaveLength(2);
});

test("a program that keeps failing gives way to the next one", async () => {
  const { e8, read } = await quickSandbox();
  const second = "cat > prompt.txt; echo ok > done.txt; echo worked";
  const agents = ["--agent", "command:echo down >&2; exit 3", "--agent", `command:${second}`];

  const ended = await e8(["run", "Make done.txt", "--check", "grep -q ok done.txt", ...agents, "--json"]);
  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    workers: [{ iterations: 3 }, { worker: `command:${second}`, iterations: 1 }],
  });
  expect(await read("prompt.txt")).toContain("down"); // the failures of the others stand in its prompt
});

test("after a standstill the stronger one takes over, and the ending says that it was no use, either", async () => {
  const { e8, write } = await quickSandbox();
  await write("endless8.yaml", "stall_limit: 2\n");
  const agents = ["--agent", "command:echo weak", "--escalate-to", "command:echo strong"];

  const planned = await e8(["run", "Make it", "--check", "false", ...agents, "--dry-run"]);
  expect(planned.stdout).toMatch(/^escalate_to\.agent\.command +"echo strong" +flag --escalate-to$/m);
  const ended = await e8(["run", "Make it", "--check", "false", ...agents]);
  expect(ended.stderr).toContain("no progress with command:echo weak, so command:echo strong takes over");
  expect(ended.stdout + ended.stderr).toMatch(/also with command:echo strong, which took over at iteration 3/);
  const shown = resultOf(await e8(["run", "Make it again", "--check", "false", ...agents, "--json"]));
  expect(shown).toMatchObject({ status: "stalled", iterations_used: 4, escalated: { iteration: 3 } });
});

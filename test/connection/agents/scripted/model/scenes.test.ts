import { expect, test } from "vitest";
import { answer, fault, say, scene, use } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import type { ScriptedModel } from "../../../../../src/connection/agents/scripted/model/server.ts";
import { ask, assistant, type Message, play, type Question, type Reply, results, text, user } from "./client.ts";

test("each asker has its own scenes, played in order", async () => {
  const model = await play(
    scene("executor", say("first work")),
    scene("judge", say("first verdict")),
    scene("executor", say("second work")),
  );

  const heard = [
    await ask(model, { who: "judge" }),
    await ask(model, { who: "executor" }),
    await ask(model, { who: "executor" }),
  ];

  expect(heard.map(text)).toEqual(["first verdict", "first work", "second work"]);
  expect(model.requests.map(({ who, scene }) => [who, scene])).toEqual([
    ["judge", 1],
    ["executor", 0],
    ["executor", 2],
  ]);
});

test("a scene may be meant for a step, and a step line may stand beside a role line", async () => {
  const model = await play(scene("initial.task", say("a step")), scene("executor", say("a role")));
  const system = [{ type: "text", text: "x\n  endless8-role: executor\nendless8-step: initial.task \ny" }];

  expect(text(await ask(model, { system }))).toBe("a step");
  expect(text(await ask(model, { system }))).toBe("a role");
  expect(model.requests.map(({ who }) => who)).toEqual(["initial.task", "executor"]);
});

test("an agent without a system text is told its role and its step at the start of a message", async () => {
  const model = await play(scene("initial.task", say("a step")), scene("judge", say("a role")));
  const opened = (lines: string) => ask(model, { system: "", messages: [user("hello"), user(`${lines}\n\nWork.`)] });

  expect(text(await opened("endless8-role: executor\nendless8-step: initial.task"))).toBe("a step");
  expect(text(await opened("endless8-role: judge"))).toBe("a role");
});

test("the marker line also counts in a system message, and never in the user's own words", async () => {
  const model = await play(scene("judge", say("verdict")));
  const marker = "endless8-role: judge";

  const quoted = await ask(model, { system: "", messages: [user(marker)] });
  const real = await ask(model, { system: "", messages: [user("hello"), { role: "system", content: marker }] });

  expect(quoted.status).toBe(400);
  expect(text(real)).toBe("verdict");
});

test("a scene without an asker is anybody's", async () => {
  const model = await play(scene({}, say("one")), scene({}, say("two")));

  expect(text(await ask(model, { who: "judge" }))).toBe("one");
  expect(text(await ask(model))).toBe("two");
});

test("a scene with `when` waits for a request that holds those words", async () => {
  const model = await play(
    scene({ who: "judge", when: "exit code 1" }, say("not yet")),
    scene("judge", say("something else")),
  );

  expect(text(await ask(model, { who: "judge" }))).toBe("something else");
  const tool = [{ type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "npm: exit code 1" }] }];
  expect(text(await ask(model, { who: "judge", messages: [user(tool)] }))).toBe("not yet");
});

test("a repeated scene plays for ever, after those that have not been played", async () => {
  const model = await play(
    scene({ who: "judge", repeat: true }, say("no")),
    scene("judge", say("once")),
    scene({ who: "judge", repeat: true }, say("yes")),
  );

  const heard: string[] = [];
  for (let i = 0; i < 5; i++) heard.push(text(await ask(model, { who: "judge" })));

  expect(heard).toEqual(["no", "once", "yes", "yes", "yes"]);
});

test("a role without a scene, or with none left, gets an error that says what is missing", async () => {
  const model = await play(scene("executor", say("work")), scene({ who: "judge", when: "apples" }, say("verdict")));
  await ask(model, { who: "executor" });

  const summarizer = await ask(model, { who: "summarizer" });
  const executor = await ask(model, { who: "executor" });
  const judge = await ask(model, { who: "judge" });
  const nobody = await ask(model);

  expect([summarizer, executor, judge, nobody].map(({ status, error }) => [status, error?.type])).toEqual(
    Array.from({ length: 4 }, () => [400, "invalid_request_error"]),
  );
  expect(text(summarizer)).toBe('The story has no scene for "summarizer".');
  expect(text(executor)).toBe('The story has no scene left for "executor": it has 1 in all.');
  expect(text(judge)).toContain('the request lacks "apples"');
  expect(text(nobody)).toContain("a request without an endless8-role line");
  expect(model.unmatched).toBe(4);
  expect(model.requests.at(-1)).toMatchObject({ who: null, scene: null, problem: text(nobody) });
});

test("a conversation goes from turn to turn, and one beyond the last gets an error", async () => {
  const model = await play(scene("executor", use("Read", {}), say("hm"), use("Edit", {}), answer({ ok: true })));
  const conversation = talk(model, { who: "executor" });

  const heard = [];
  for (let i = 0; i < 6; i++) heard.push(text(await conversation.next()));

  expect(heard).toEqual(["[Read]", "hm", "[Edit]", '{"ok":true}', "(end of scene)", "(end of scene)"]);
  expect(model.unmatched).toBe(0);
});

test("a system message after the tool results does not confuse the turns", async () => {
  const model = await play(scene("executor", use("Read", {}), say("done")));
  const first = await ask(model, { who: "executor" });

  const messages = [user("hello"), assistant(first.content), results(first), { role: "system", content: "reminder" }];

  expect(text(await ask(model, { who: "executor", messages }))).toBe("done");
});

test("a turn may be played several times", async () => {
  const model = await play(scene({}, { ...use("Bash", { command: "ls" }), times: 3 }, say("done")));
  const conversation = talk(model);

  const heard = [];
  for (let i = 0; i < 4; i++) heard.push(text(await conversation.next()));

  expect(heard).toEqual(["[Bash]", "[Bash]", "[Bash]", "done"]);
});

test("a retry after a fault goes on in the same scene, even from another process with another prompt", async () => {
  const model = await play(scene("judge", fault(529), fault(500), say("at last")), scene("judge", say("next scene")));

  expect((await ask(model, { who: "judge" })).status).toBe(529);
  expect((await ask(model, { who: "judge" })).status).toBe(500);
  expect(text(await ask(model, { who: "judge", messages: [user("other words")] }))).toBe("at last");
  expect(text(await ask(model, { who: "judge" }))).toBe("next scene");
});

test("a retry in the middle of a conversation goes on there", async () => {
  const model = await play(scene("executor", use("Read", {}), fault(529), say("done")), scene("executor", say("next")));
  const first = await ask(model, { who: "executor" });
  const messages = [user("hello"), assistant(first.content), results(first)];

  expect((await ask(model, { who: "executor", messages })).status).toBe(529);
  expect(text(await ask(model, { who: "executor", messages }))).toBe("done");
});

test("a scene of faults alone is over when its faults are", async () => {
  const model = await play(scene("judge", { ...fault(529), times: 2 }), scene("judge", say("next scene")));

  expect((await ask(model, { who: "judge" })).status).toBe(529);
  expect((await ask(model, { who: "judge" })).status).toBe(529);
  expect(text(await ask(model, { who: "judge" }))).toBe("next scene");
});

test("a fault in one asker's scene does not hold up another's", async () => {
  const model = await play(scene("judge", fault(529), say("verdict")), scene("executor", say("work")));

  await ask(model, { who: "judge" });

  expect(text(await ask(model, { who: "executor" }))).toBe("work");
  expect(text(await ask(model, { who: "judge" }))).toBe("verdict");
});

test("a faulted scene that is anybody's goes on only for the asker who began it", async () => {
  const model = await play(scene({}, fault(529), say("first scene")), scene({}, say("second scene")));

  await ask(model, { who: "judge" });

  expect(text(await ask(model, { who: "executor" }))).toBe("second scene");
  expect(text(await ask(model, { who: "judge" }))).toBe("first scene");
});

test("a faulted scene does not go on for a request that lacks its `when`", async () => {
  const model = await play(
    scene({ who: "judge", when: "apples" }, fault(529), say("about apples")),
    scene("judge", say("about anything")),
  );

  await ask(model, { who: "judge", messages: [user("apples")] });

  expect(text(await ask(model, { who: "judge", messages: [user("pears")] }))).toBe("about anything");
  expect(text(await ask(model, { who: "judge", messages: [user("apples")] }))).toBe("about apples");
});

test.each([
  ["an empty text", say(" ")],
  ["a refusal without a word", { stop: "refusal" as const }],
])("a reply that leaves no trace in the conversation does not end its scene: %s", async (_, silent) => {
  const model = await play(scene("executor", silent, say("second turn")), scene("executor", say("next scene")));

  await ask(model, { who: "executor" });

  expect(text(await ask(model, { who: "executor", messages: [user("hello"), user("go on")] }))).toBe("second turn");
});

test("two conversations of one asker, with the same words, keep to their own scenes", async () => {
  const model = await play(
    scene("executor", use("A1", {}), use("A2", {}), say("A3")),
    scene("executor", use("B1", {}), use("B2", {}), say("B3")),
  );
  const first = talk(model, { who: "executor" });
  const second = talk(model, { who: "executor" });

  const heard = [];
  for (const conversation of [first, second, second, first, first, second]) {
    heard.push(text(await conversation.next()));
  }

  expect(heard).toEqual(["[A1]", "[B1]", "[B2]", "[A2]", "A3", "B3"]);
});

test("two conversations without tool calls differ by their opening", async () => {
  const model = await play(scene("judge", say("A1"), say("A2")), scene("judge", say("B1"), say("B2")));
  const first = talk(model, { who: "judge", messages: [user("about A")] });
  const second = talk(model, { who: "judge", messages: [user([{ type: "text", text: "about B" }])] });

  const heard = [];
  for (const conversation of [first, second, first, second]) heard.push(text(await conversation.next()));

  expect(heard).toEqual(["A1", "B1", "A2", "B2"]);
});

test("two conversations without tool calls and with the same words differ by their length", async () => {
  const model = await play(scene("judge", say("A1"), say("A2"), say("A3")), scene("judge", say("B1"), say("B2")));
  const [first, second] = [talk(model, { who: "judge" }), talk(model, { who: "judge" })];

  const heard = [];
  for (const conversation of [first, first, second, first, second]) heard.push(text(await conversation.next()));

  expect(heard).toEqual(["A1", "A2", "B1", "A3", "B2"]);
});

test("two conversations with faults differ by their opening when their retries cross", async () => {
  const model = await play(
    scene({ who: "judge", when: "about A" }, fault(529), say("A")),
    scene({ who: "judge", when: "about B" }, fault(529), say("B")),
  );
  const about = (what: string) => ask(model, { who: "judge", messages: [user(`about ${what}`)] });

  const heard = [await about("A"), await about("B"), await about("A"), await about("B")];

  expect(heard.map(text)).toEqual(["Overloaded", "Overloaded", "A", "B"]);
});

test("twenty conversations at once each hear their whole scene", async () => {
  const model = await play(
    ...(Array.from({ length: 20 }, (_, n) => scene("executor", use(`T${n}`, {}), say(`done ${n}`))) as [
      ReturnType<typeof scene>,
    ]),
  );

  const pairs = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const conversation = talk(model, { who: "executor" });
      return [text(await conversation.next()), text(await conversation.next())];
    }),
  );

  for (const [tool, end] of pairs) expect(end).toBe(`done ${tool?.slice(2, -1)}`);
  expect(new Set(pairs.map(([tool]) => tool)).size).toBe(20);
});

/** A client that keeps its conversation and answers every tool call. */
function talk(model: ScriptedModel, question: Question = {}): { next(): Promise<Reply> } {
  const messages: Message[] = [...(question.messages ?? [user("hello")])];
  return {
    async next() {
      const reply = await ask(model, { ...question, messages });
      const used = reply.content.some((block) => block.type === "tool_use");
      messages.push(assistant(reply.content), used ? results(reply) : user("go on"));
      return reply;
    },
  };
}

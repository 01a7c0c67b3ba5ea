import { describe, expect, test } from "vitest";
import { answer, fault, say, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Scene } from "../../../src/connection/agents/scripted/model/story.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { countingClaude } from "../../support/counting-claude.ts";
import { eventually } from "../processes/helpers.ts";
import { expected } from "./claude-warm-support.ts";
import { assign, type ClaudeBox, claudeBox, hear, sent, TURNS } from "./support.ts";

const done = answer({ status: "done" });
const judge = (prompt: string, iteration = 1) => assign({ role: "judge", prompt, iteration });

async function warmBox(...scenes: Scene[]) {
  const box = await claudeBox(story(...scenes));
  return { ...box, ...(await countingClaude(box.home)) };
}

function alive(box: ClaudeBox): number[] {
  return [...processTable().carrying(`ENDLESS8_TASK=${box.task_token}`)];
}

describe("a role", () => {
  test("answers again and again from one process, each time in a fresh context and for its own price", async () => {
    const numbers = [1, 2, 3, 4];
    const tokens = { input: 1000, output: 50 };
    const box = await warmBox(...numbers.map((n) => scene("judge", { say: `WORD-${n}`, ...done, tokens })));
    const agent = box.agent({ executable: box.executable });

    const heard = [];
    for (const n of numbers) heard.push((await hear(agent, judge(`PROMPT-${n}`, n))).reply);

    expect(await box.starts()).toBe(1);
    for (const { failure, structured, usage } of heard) {
      expect(failure).toBeUndefined();
      expect(structured).toEqual({ status: "done" });
      expect(usage.tokens).toBe(1050);
      expect(usage.cost_usd).toBeCloseTo(heard[0]?.usage.cost_usd ?? 0, 10);
      expect(usage.cost_usd).toBeGreaterThan(0);
    }
    expect(box.model.requests).toHaveLength(4);
    for (const [index, request] of box.model.requests.entries()) {
      expect(sent(request).match(/PROMPT-\d/g)).toEqual([`PROMPT-${index + 1}`]);
      expect(sent(request)).not.toContain("WORD-");
    }
  });

  test("has the messages of each answer in the log of its own iteration", async () => {
    const box = await warmBox(
      scene("judge", { ...say("FIRST"), ...done }),
      scene("judge", { ...say("SECOND"), ...done }),
    );
    const lines: string[] = [];
    const raw_log = async (iteration: number, role: string, line: string) => {
      lines.push(`${iteration} ${role} ${line}`);
    };
    const agent = box.agent({ raw_log });

    await hear(agent, judge("one", 1));
    await hear(agent, judge("two", 2));

    expect(lines.filter((line) => line.includes("FIRST")).every((line) => line.startsWith("1 judge "))).toBe(true);
    expect(lines.filter((line) => line.includes("SECOND")).every((line) => line.startsWith("2 judge "))).toBe(true);
    const results = lines.filter((line) => line.includes('"type":"result"'));
    expect(results.map((line) => line.slice(0, 1))).toEqual(["1", "2"]);
  });

  test("has a process of its own: another system prompt or schema is never answered by it", async () => {
    const box = await warmBox(scene("judge", done), scene("summarizer", done), scene("judge", done));
    const agent = box.agent({ executable: box.executable });

    await hear(agent, judge("one"));
    await hear(agent, assign({ role: "summarizer" }));
    await hear(agent, assign({ role: "judge", system_prompt: "OTHER-WORDS\nendless8-role: judge" }));

    expect(await box.starts()).toBe(3);
    expect(sent(box.model.requests[2])).toContain("OTHER-WORDS");
  });

  test.each([
    ["is refused for a moment", fault(529), "overloaded"],
    ["is garbled", { ...fault({ kind: "malformed" }), times: 2 }, "malformed"],
  ])("whose answer %s is replaced by a new process", async (_what, faulty, code) => {
    const box = await warmBox(scene("judge", done), scene("judge", faulty), scene("judge", done));
    const agent = box.agent({ executable: box.executable });

    await hear(agent, judge("one"));
    const failed = await hear(agent, judge("two"));
    const { reply } = await hear(agent, judge("three"));

    expect(failed.reply.failure?.code).toBe(code);
    expect(reply.structured).toEqual({ status: "done" });
    expect(await box.starts()).toBe(2);
    expect(alive(box)).toHaveLength(1);
  });

  test("that is cut short is ended, and the next answer comes from a new process", async () => {
    const box = await warmBox(scene("judge", done), scene("judge", fault({ kind: "stall" })), scene("judge", done));
    const agent = box.agent({ executable: box.executable });
    await hear(agent, judge("one"));
    const controller = new AbortController();
    const work = hear(agent, judge("two"), controller.signal);
    await eventually("it is asked", () => box.model.requests.length === 2);

    controller.abort();
    const cut = await work;

    expect(cut.reply.failure).toBeDefined();
    expect(alive(box)).toEqual([]);
    expect((await hear(agent, judge("three"))).reply.structured).toEqual({ status: "done" });
    expect(await box.starts()).toBe(2);
  });

  test("whose process is killed while it waits answers from a new one", async () => {
    const box = await warmBox(scene("judge", done), scene("judge", done), scene("judge", done));
    const agent = box.agent({ executable: box.executable });
    await hear(agent, judge("one"));

    for (const pid of alive(box)) process.kill(pid, "SIGKILL");
    // At once: that it is gone has not come to anybody's notice.
    const { reply } = await hear(agent, judge("two"));
    for (const pid of alive(box)) process.kill(pid, "SIGKILL");
    await eventually("it is gone", () => alive(box).length === 0);
    const later = await hear(agent, judge("three"));

    expect(reply).toMatchObject({ structured: { status: "done" } });
    expect(later.reply).toMatchObject({ structured: { status: "done" } });
    expect(await box.starts()).toBe(3);
  });

  test("whose login is refused is asked again in a new process, before the refusal is believed", async () => {
    const box = await warmBox(scene("judge", done), scene("judge", fault(401)), scene("judge", done));
    const agent = box.agent({ executable: box.executable });
    await hear(agent, judge("one"));

    const { reply } = await hear(agent, judge("two"));

    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(2);
  });

  test("starts anew when the user's settings have changed", async () => {
    const box = await warmBox(scene("judge", done), scene("judge", done));
    const { ANTHROPIC_API_KEY: _, ...environment } = box.environment;
    const agent = box.agent({ executable: box.executable, environment });
    await box.write("home/.claude/settings.json", { env: { ANTHROPIC_API_KEY: "sk-ant-first" } });
    await hear(agent, judge("one"));

    await box.write("home/.claude/settings.json", { env: { ANTHROPIC_AUTH_TOKEN: "other" } });
    const { reply } = await hear(agent, judge("two"));

    expect(reply.failure).toBeUndefined();
    expect(await box.starts()).toBe(2);
    expect(box.model.requests.map(({ credential }) => credential)).toEqual(["api_key", "token"]);
  });

  test("is renewed before its process has grown large", async () => {
    const box = await warmBox({ ...scene("judge", done), repeat: true });
    const agent = box.agent({ executable: box.executable });

    for (let n = 1; n <= 51; n++) expect((await hear(agent, judge(`PROMPT-${n}.`))).reply.failure).toBeUndefined();

    expect(await box.starts()).toBe(2);
    expect(sent(box.model.requests.at(-1)).match(/PROMPT-\d+/g)).toEqual(["PROMPT-51"]);
  });

  test("that is asked once only is not kept", async () => {
    const box = await warmBox(scene("intake", done));

    const { reply } = await hear(box.agent(), assign({ role: "intake" }));

    expect(reply.structured).toEqual({ status: "done" });
    await eventually("it is gone", () => alive(box).length === 0);
  });
});

describe("roles that are announced together", () => {
  const roles = ["intake", "summarizer", "judge"] as const;
  const office = (role: (typeof roles)[number], system_prompt = `WORDS-OF-${role}\nendless8-role: ${role}`) =>
    expected({ role, system_prompt });
  const question = (role: (typeof roles)[number], prompt: string) => ({ ...office(role), iteration: 1, prompt });

  test("answer from one process, each in its own name and in a fresh context", async () => {
    const box = await warmBox(
      ...[...roles, ...roles].map((role) => scene(role, { ...say(`SAID-BY-${role}`), ...done })),
    );
    const agent = box.agent({ executable: box.executable });

    for (const role of roles) agent.prepare?.(office(role));
    const heard = [];
    for (const round of [1, 2])
      for (const role of roles) heard.push((await hear(agent, question(role, `PROMPT-${round}-${role}`))).reply);

    expect(heard.map(({ failure, structured }) => failure ?? structured)).toEqual(
      heard.map(() => ({ status: "done" })),
    );
    expect(await box.starts()).toBe(1);
    const systems = new Set(
      box.model.requests.map(({ body }) => JSON.stringify(body.system).replace(/cc_version=\S+/, "")),
    );
    expect([...systems][0]?.match(/WORDS-OF-\w+/g)).toEqual(roles.map((role) => `WORDS-OF-${role}`));
    expect(systems.size).toBe(1);
    expect(box.model.requests.map(({ who }) => who)).toEqual([...roles, ...roles]);
    for (const [index, request] of box.model.requests.entries()) {
      const prompt = `PROMPT-${index < 3 ? 1 : 2}-${roles[index % 3]}`;
      expect(sent(request).match(/PROMPT-\d-\w+/g)).toEqual([prompt]);
      expect(sent(request)).toContain(`endless8-role: ${roles[index % 3]}\\n\\n${prompt}`);
      expect(sent(request)).not.toContain("SAID-BY-");
    }
  });

  test("have given no answer when they answer in the name of another", async () => {
    const box = await warmBox(
      scene("judge", use("StructuredOutput", { summarizer: { status: "done" } })),
      scene("judge", done),
    );
    const agent = box.agent({ executable: box.executable });
    for (const role of roles) agent.prepare?.(office(role));

    const wrong = await hear(agent, question("judge", "one"));
    const right = await hear(agent, question("judge", "two"));

    expect(wrong.reply.structured).toBeUndefined();
    expect(right.reply.structured).toEqual({ status: "done" });
  });

  test("have processes of their own where their models or their limits differ", async () => {
    const box = await warmBox(scene("summarizer", done), scene("judge", done), scene("intake", done));
    const models = { intake: "m-1", executor: "m-1", summarizer: "m-1", judge: "m-2", reviewer: "m-1" };
    const max_turns = { ...TURNS, intake: 3 };
    const agent = box.agent({ executable: box.executable, models, max_turns });
    for (const one of [office("summarizer"), office("judge"), office("intake")]) agent.prepare?.(one);

    await hear(agent, question("summarizer", "one"));
    await hear(agent, question("judge", "two"));
    await hear(agent, question("intake", "three"));

    expect(await box.starts()).toBe(3);
    expect(box.model.requests.map(({ body }) => body.model)).toEqual(["m-1", "m-2", "m-1"]);
    for (const request of box.model.requests) expect(sent(request).match(/WORDS-OF-/g)).toHaveLength(1);
  });

  test("share the next process, too, when theirs has failed", async () => {
    const box = await warmBox(scene("intake", fault(529)), ...roles.map((role) => scene(role, done)));
    const agent = box.agent({ executable: box.executable });
    for (const role of roles) agent.prepare?.(office(role));

    const failed = await hear(agent, question("intake", "once"));
    for (const role of roles) expect((await hear(agent, question(role, "again"))).reply.structured).toBeDefined();

    expect(failed.reply.failure?.code).toBe("overloaded");
    expect(await box.starts()).toBe(2);
  });

  test("that were announced later get ready as soon as the others: one at work is busy for no more than it can answer", async () => {
    const box = await warmBox(scene("summarizer", done), scene("judge", done));
    const agent = box.agent({ executable: box.executable });
    agent.prepare?.(office("summarizer"));
    await eventually("it is started", async () => (await box.starts()) === 1);

    agent.prepare?.(office("judge"));
    const { reply } = await hear(agent, question("summarizer", "one"));
    agent.prepare?.(office("judge"));
    await eventually("the other one is started", async () => (await box.starts()) === 2);

    expect(reply.structured).toEqual({ status: "done" });
    expect((await hear(agent, question("judge", "two"))).reply.structured).toEqual({ status: "done" });
    expect(await box.starts()).toBe(2);
  });
});

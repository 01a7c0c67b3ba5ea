import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, fault, say, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Fault, Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import type { FailureCode } from "../../../src/model/agent.ts";
import { freePort } from "../../support/free-port.ts";
import { saying } from "../../support/saying.ts";
import { assign, claudeBox, hear, TURNS } from "./support.ts";

const done = answer({ status: "done" });

function always(turn: Turn) {
  return story({ ...scene("executor", { ...turn, times: 100 }), repeat: true });
}

const faults: [string, number | Fault, FailureCode][] = [
  ["a key without permission (403)", 403, "authentication"],
  ["a payment that is due (402)", 402, "billing"],
  [
    "credit used up",
    { status: 400, message: "Your credit balance is too low to access the Anthropic API." },
    "billing",
  ],
  ["a model that does not exist (404)", { status: 404, message: "model: nonsense" }, "configuration"],
  ["a request refused for what it is (400)", 400, "configuration"],
  ["too many requests (429)", 429, "rate_limit"],
  ["an overloaded model (529)", 529, "overloaded"],
  ["a broken server (500)", 500, "server"],
  ["a broken gateway (502)", { kind: "html", status: 502 }, "server"],
  ["a stream of nonsense", { kind: "malformed" }, "malformed"],
  ["an empty answer", { kind: "empty" }, "malformed"],
  ["a web page instead of an answer", { kind: "html" }, "malformed"],
  ["a connection that breaks", { kind: "disconnect" }, "network"],
  [
    "a prompt too long",
    { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
    "context_overflow",
  ],
  ["a request too large (413)", 413, "context_overflow"],
];

describe("the model's troubles have their names", () => {
  test.each(faults)("%s", async (_name, what, code) => {
    const box = await claudeBox(always(fault(what)));

    const { reply } = await hear(box.agent(), assign());

    expect(reply.failure).toMatchObject({ code, message: expect.stringMatching(/\S/) });
    expect(reply).not.toHaveProperty("structured");
  });

  test("nothing listening", async () => {
    const box = await claudeBox(always(say("never")));
    const environment = { ...box.environment, ANTHROPIC_BASE_URL: `http://127.0.0.1:${await freePort()}` };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
  });

  test("a request refused in the middle of the work is not a configuration fault", async () => {
    const bash = use("Bash", { command: "true", description: "a" });
    const box = await claudeBox(story(scene("executor", bash, { ...fault(400), times: 20 })));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    expect(reply.failure?.code).toBe("crashed");
    expect(reply.usage.tokens).toBe(120);
  });

  test("too many requests, with the wait the server asked for", async () => {
    const box = await claudeBox(always(fault({ status: 429, retry_after: 1 })));
    const environment = { ...box.environment, CLAUDE_CODE_MAX_RETRIES: "1" };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure?.code).toBe("rate_limit");
    expect(reply.failure?.retry_at).toBeGreaterThan(Date.now() - 10_000);
  });

  test("a usage limit, with the time it ends", async () => {
    const resets_at = Math.floor(Date.now() / 1000) + 5000;
    const box = await claudeBox(always(fault({ resets_at })));
    const environment = {
      ...box.environment,
      ANTHROPIC_API_KEY: undefined,
      CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake",
    };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure).toMatchObject({ code: "usage_limit", retry_at: resets_at * 1000 });
  });

  test("a refusal", async () => {
    const box = await claudeBox(always({ ...say("No."), stop: "refusal" }));

    expect((await hear(box.agent(), assign())).reply.failure?.code).toBe("refused");
  });

  test("an answer that never fits the schema", async () => {
    const box = await claudeBox(always(answer({ other: 1 })));

    const { reply } = await hear(box.agent(), assign());

    expect(reply.failure).toMatchObject({ code: "malformed", message: expect.stringContaining("status") });
  });
});

test("the roles leave most retrying to our loop, unless the user has said otherwise", async () => {
  const box = await claudeBox(story({ ...scene("judge", { ...fault(529), times: 100 }), repeat: true }));
  const { CLAUDE_CODE_MAX_RETRIES: _, ...environment } = box.environment;

  await hear(box.agent({ environment }), assign({ role: "judge" }));
  const byDefault = box.model.requests.length;
  await hear(box.agent({ environment: { ...environment, CLAUDE_CODE_MAX_RETRIES: "1" } }), assign({ role: "judge" }));

  expect(byDefault).toBe(3);
  expect(box.model.requests.length - byDefault).toBe(2);
});

describe("a login that is refused ends the answer at the first refusal, retries or not", () => {
  test("of a key", async () => {
    const box = await claudeBox(always(fault(401)));
    const environment = { ...box.environment, CLAUDE_CODE_MAX_RETRIES: undefined };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure?.code).toBe("authentication");
    expect(box.model.requests.length).toBeLessThanOrEqual(2);
  });

  test("of a token", async () => {
    const box = await claudeBox(always(fault(401)));
    const { ANTHROPIC_API_KEY: _, CLAUDE_CODE_MAX_RETRIES: __, ...rest } = box.environment;
    const environment = { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure?.code).toBe("authentication");
    expect(box.model.requests.length).toBeLessThanOrEqual(4);
  });

  test("and a missing login ends the run without a question", async () => {
    const box = await claudeBox(always(say("never")));
    const environment = { ...box.environment, ANTHROPIC_API_KEY: undefined };

    const { reply } = await hear(box.agent({ environment }), assign());

    expect(reply.failure).toMatchObject({ code: "authentication", message: expect.stringContaining("Not logged in") });
    expect(box.model.requests).toHaveLength(0);
  });
});

describe("the limits of an answer", () => {
  const bash = { ...use("Bash", { command: "echo x >> ran", description: "a" }), times: 100 };

  test("its turns", async () => {
    const box = await claudeBox(story(scene("executor", bash)));

    const { reply } = await hear(
      box.agent({ allowed_tools: ["Bash"], max_turns: { ...TURNS, executor: 2 } }),
      assign(),
    );

    expect(reply.failure?.code).toBe("turn_limit");
    expect(reply.usage.tokens).toBe(240);
    expect(reply.tools_used).toEqual(["Bash(echo)"]);
  });

  test("its budget", async () => {
    const box = await claudeBox(story(scene("executor", bash)));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign({ max_cost_usd: 0.000001 }));

    expect(reply.failure?.code).toBe("budget");
    expect(reply.usage.cost_usd).toBeGreaterThan(0);
  });
});

describe("what keeps Claude Code from starting is a failure of the configuration", () => {
  test.each(["/no/such/claude", "no-such-claude", "not-executable"])("the executable %s", async (executable) => {
    const box = await claudeBox(always(done));
    await box.write("project/not-executable", "");

    const { reply } = await hear(box.agent({ executable }), assign());

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying(executable) });
  });

  test("an executable that is another program", async () => {
    const box = await claudeBox(always(done));

    expect((await hear(box.agent({ executable: "cat" }), assign())).reply.failure).toMatchObject({
      code: "configuration",
      message: expect.stringContaining("output-format"),
    });
  });

  test("a schema that is none", async () => {
    const box = await claudeBox(always(done));

    const { reply } = await hear(box.agent(), assign({ schema: { type: "nonsense" } }));

    expect(reply.failure).toMatchObject({ code: "configuration", message: expect.stringContaining("JSON Schema") });
  });

  test("a working directory that is gone", async () => {
    const box = await claudeBox(always(done));
    const working_directory = join(box.project, "gone");

    const { reply } = await hear(box.agent({ working_directory }), assign());

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying(working_directory) });
  });
});

test("an executable on the PATH is used instead of the bundled one", async () => {
  const box = await claudeBox(always(done));
  const bundled = join(import.meta.dirname, "../../../node_modules/@anthropic-ai");
  await box.write(
    "home/bin/claude",
    `#!/bin/sh\ntouch "$HOME/was here"\nexec ${bundled}/claude-agent-sdk-*/claude "$@"\n`,
  );
  const { chmod, access } = await import("node:fs/promises");
  await chmod(join(box.home, "bin/claude"), 0o755);
  const environment = { ...box.environment, PATH: `${box.home}/bin:${process.env.PATH}` };

  const { reply } = await hear(box.agent({ executable: "claude", environment }), assign());

  expect(reply.structured).toEqual({ status: "done" });
  await access(join(box.home, "was here"));
});

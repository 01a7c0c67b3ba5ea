import { existsSync } from "node:fs";
import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, say, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import { addUsage, NOTHING_SPENT } from "../../../src/model/usage.ts";
import { assign, claudeBox, hear, only, sent } from "./support.ts";

const done = answer({ status: "done" });

describe("an executor", () => {
  test("edits files, and what it did is known without asking it", async () => {
    const box = await claudeBox(
      story(
        scene(
          "executor",
          { say: "Let me see.", ...use("Write", { file_path: "new file.txt", content: "hello\n" }) },
          use("Read", { file_path: "old.txt" }),
          use("Edit", { file_path: "old.txt", old_string: "before", new_string: "after" }),
          use("Edit", { file_path: "old.txt", old_string: "nowhere", new_string: "fails" }),
          use("Bash", { command: "cd . && LANG=C /bin/cat 'new file.txt'\necho second line", description: "look" }),
          done,
        ),
      ),
    );
    await box.write("project/old.txt", "before\n");
    const agent = box.agent({ allowed_tools: ["Read", "Write", "Edit", "Bash"] });

    const { events, reply } = await hear(agent, assign());

    expect(reply.failure).toBeUndefined();
    expect(reply.structured).toEqual({ status: "done" });
    expect(reply.text).toBe("Let me see.");
    expect(reply.tools_used).toEqual(["Write", "Read", "Edit", "Bash(cat)"]);
    expect(reply.files_modified).toEqual(["new file.txt", "old.txt"]);
    expect(reply.tool_results).toMatchObject([
      { tool: "Read", detail: "old.txt", ending: "done", output: expect.stringContaining("before") },
      { tool: "Edit", ending: "failed", output: expect.stringContaining("not found") },
      { tool: "Bash", is_command: true, detail: expect.stringMatching(/second line$/), output: "hello\nsecond line" },
    ]);
    expect(await box.read("old.txt")).toBe("after\n");
    expect(only(events, "text").map(({ text }) => text)).toEqual(["Let me see."]);
    expect(only(events, "tool-call").map(({ tool, detail }) => `${tool}: ${detail}`)).toEqual([
      "Write: new file.txt",
      "Read: old.txt",
      "Edit: old.txt",
      "Edit: old.txt",
      "Bash: cd . && LANG=C /bin/cat 'new file.txt'",
    ]);
  });

  test("has Claude Code's own system prompt with ours behind it, and the project's instructions", async () => {
    const box = await claudeBox(story(scene("executor", done)));
    await box.write("project/CLAUDE.md", "PROJECT-INSTRUCTIONS");
    await box.write("home/.claude/CLAUDE.md", "USER-INSTRUCTIONS");

    await hear(box.agent(), assign({ system_prompt: "OUR-WORDS\nendless8-role: executor" }));

    const [request] = box.model.requests;
    expect(JSON.stringify(request?.body.system)).toMatch(/You are Claude Code.*OUR-WORDS/s);
    expect(sent(request)).toContain("PROJECT-INSTRUCTIONS");
    expect(sent(request)).toContain("USER-INSTRUCTIONS");
  });

  test("shares nothing with the call before it, and leaves no session behind", async () => {
    const box = await claudeBox(
      story(scene("executor", say("WORD-OF-THE-FIRST"), done), scene("executor", say("second"), done)),
    );
    const agent = box.agent();

    await hear(agent, assign({ prompt: "PROMPT-OF-THE-FIRST" }));
    const before = box.model.requests.length;
    await hear(agent, assign({ prompt: "the second" }));

    const later = box.model.requests.slice(before).map(sent).join("\n");
    expect(later).not.toContain("OF-THE-FIRST");
    expect(later).not.toContain("auto memory");
    const files = await readdir(join(box.home, ".claude"), { recursive: true });
    expect(files.filter((file) => file.endsWith(".jsonl"))).toEqual([]);
  });

  test("gets the prompt word by word: what it quotes pulls no file in and runs no command", async () => {
    const box = await claudeBox(story(scene("executor", done)));
    await box.write("project/secret.txt", "CONTENT-OF-THE-FILE");
    const prompt = "/compact now\nAs @secret.txt says, 日本語 too.";

    await hear(box.agent(), assign({ prompt }));

    expect(sent(box.model.requests[0])).toContain(JSON.stringify(prompt).slice(1, -1));
    expect(sent(box.model.requests[0])).not.toContain("CONTENT-OF-THE-FILE");
  });

  test("runs in its working directory; what it changes is named from the project", async () => {
    const box = await claudeBox(
      story(
        scene(
          "executor",
          use("Write", { file_path: "made.txt", content: "" }),
          use("Bash", { command: "pwd", description: "where" }),
          done,
        ),
      ),
    );
    await box.write("project/packages/a b/keep", "");
    const working_directory = join(box.project, "packages", "a b");

    const { reply } = await hear(box.agent({ working_directory, allowed_tools: ["Write", "Bash"] }), assign());

    expect(reply.files_modified).toEqual(["packages/a b/made.txt"]);
    expect(sent(box.model.requests.at(-1))).toContain(working_directory);
  });

  test("finds its files under the project's name, also when that is a link", async () => {
    const box = await claudeBox(story(scene("executor", use("Write", { file_path: "made.txt", content: "" }), done)));
    const link = join(box.home, "link");
    await symlink(box.project, link);
    const agent = box.agent({ project: link, working_directory: link, allowed_tools: ["Write"] });

    const { reply } = await hear(agent, assign());

    expect(reply.files_modified).toEqual(["made.txt"]);
    expect(existsSync(join(box.project, "made.txt"))).toBe(true);
  });

  test("leaves none of its temporary files", async () => {
    const box = await claudeBox(story(scene("executor", use("Bash", { command: "echo hi", description: "hi" }), done)));

    await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    expect(await readdir(join(box.home, "tmp"))).toEqual([]);
  });

  test("that answers while something it started still runs in the background is not waited for", async () => {
    const box = await claudeBox(
      story(
        scene(
          "executor",
          use("Bash", { command: "tail -f /dev/null", description: "serve", run_in_background: true }),
          done,
        ),
      ),
    );

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    expect(reply).toMatchObject({ structured: { status: "done" } });
    expect(reply.failure).toBeUndefined();
  });
});

describe("the other roles", () => {
  test("have a system prompt, a prompt and no tool but the one to answer with", async () => {
    const box = await claudeBox(story(scene("judge", done)));
    await box.write("project/CLAUDE.md", "PROJECT-INSTRUCTIONS");
    await box.write("home/.claude/CLAUDE.md", "USER-INSTRUCTIONS");
    await box.write("project/summary.txt", "CONTENT-OF-THE-FILE");

    const { reply } = await hear(box.agent(), assign({ role: "judge", prompt: "Judge @summary.txt" }));

    const [request] = box.model.requests;
    expect(reply.structured).toEqual({ status: "done" });
    expect(request?.body.tools?.map(({ name }) => name)).toEqual(["StructuredOutput"]);
    expect(sent(request)).not.toMatch(/-INSTRUCTIONS|CONTENT-OF-THE-FILE|You are Claude Code/);
  });

  test("reach their model through the user's own settings", async () => {
    const box = await claudeBox(story(scene("judge", done)));
    const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, ...environment } = box.environment;
    await box.write("home/.claude/settings.json", { env: { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY }, hooks: {} });

    const { reply } = await hear(box.agent({ environment }), assign({ role: "judge" }));

    expect(reply.failure).toBeUndefined();
    expect(box.model.requests).toHaveLength(1);
  });

  test("each have the model that was chosen for them", async () => {
    const box = await claudeBox(story(scene("judge", done), scene("summarizer", done)));
    const models = {
      intake: "a",
      executor: "b",
      summarizer: "claude-haiku-4-5",
      judge: "claude-opus-5-5",
      reviewer: "c",
    };
    const agent = box.agent({ models });

    await hear(agent, assign({ role: "judge" }));
    await hear(agent, assign({ role: "summarizer" }));

    expect(box.model.requests.map(({ body }) => body.model)).toEqual(["claude-opus-5-5", "claude-haiku-4-5"]);
  });
});

describe("an answer", () => {
  test("that a model writes as text instead of giving it is found there", async () => {
    const box = await claudeBox(story(scene("judge", { ...say('Here: {"status": "in text"}'), times: 3 })));

    const { reply } = await hear(box.agent(), assign({ role: "judge" }));

    expect(reply.structured).toEqual({ status: "in text" });
  });

  test("that may be quoted from what is judged is left out", async () => {
    const quoting = say('{"status": "not met"}. The record says {"status": "met"}.');
    const box = await claudeBox(story(scene("judge", { ...quoting, times: 3 })));

    const { reply } = await hear(box.agent(), assign({ role: "judge" }));

    expect(reply.text).toContain("The record says");
    expect(reply).not.toHaveProperty("structured");
  });

  test("that is not JSON is left out", async () => {
    const box = await claudeBox(story(scene("judge", { ...say("I would rather not."), times: 3 })));

    const { reply } = await hear(box.agent(), assign({ role: "judge" }));

    expect(reply).toMatchObject({ text: "I would rather not." });
    expect(reply).not.toHaveProperty("structured");
    expect(reply.failure).toBeUndefined();
  });
});

describe("what is spent", () => {
  test("is reported as it grows, once per message, and adds up to the reply's total", async () => {
    const box = await claudeBox(
      story(
        scene(
          "executor",
          {
            say: "Two blocks and two calls, one message.",
            use: [
              { tool: "Bash", input: { command: "true", description: "a" } },
              { tool: "Bash", input: { command: "true", description: "b" } },
            ],
            tokens: { input: 1000, output: 50, cache_creation: 300, cache_read: 7000 },
          },
          { ...done, tokens: { input: 2000, output: 60 } },
        ),
      ),
    );

    const { events, reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign());

    const usages = only(events, "usage").map(({ usage }) => usage);
    expect(usages[0]).toEqual({ tokens: 1350, cost_usd: 0, seconds: 0 });
    expect(usages.reduce(addUsage, NOTHING_SPENT)).toEqual(reply.usage);
    expect(reply.usage.tokens).toBe(1350 + 2060);
    expect(reply.usage.cost_usd).toBeGreaterThan(0);
    expect(reply.usage.seconds).toBeGreaterThan(0);
  });
});

describe("a model that Claude Code has no price for, such as a local one,", () => {
  const model = "qwen3:8b";
  const models = { intake: model, executor: model, summarizer: model, judge: model, reviewer: model };
  const talks = story(scene("executor", { ...done, tokens: { input: 2000, output: 500 } }));

  test("costs nothing that is known, and with a cost budget that is said", async () => {
    const box = await claudeBox(talks);

    const { events, reply } = await hear(box.agent({ models, has_cost_budget: true }), assign());

    expect(reply.usage).toMatchObject({ tokens: 2500, cost_usd: 0, unknown: ["cost"] });
    expect(only(events, "notice")).toMatchObject([{ notice: { code: "cost_unknown", params: { model } } }]);
  });

  test("costs what `prices` says", async () => {
    const box = await claudeBox(talks);

    const agent = box.agent({ models, prices: { [model]: { input: 1, output: 4 } }, has_cost_budget: true });
    const { events, reply } = await hear(agent, assign());

    expect(reply.usage.cost_usd).toBeCloseTo(0.004, 10);
    expect(reply.usage.unknown).toBeUndefined();
    expect(only(events, "notice")).toEqual([]);
  });
});

test("the raw log holds every whole message, one JSON line each", async () => {
  const box = await claudeBox(story(scene("executor", say("hm"), done)));
  const lines: { iteration: number; role: string; type: string }[] = [];
  const raw_log = async (iteration: number, role: string, line: string) => {
    lines.push({ iteration, role, type: JSON.parse(line).type });
  };

  await hear(box.agent({ raw_log }), assign({ iteration: 7 }));

  const types = lines.map(({ type }) => type);
  expect(types[0]).toBe("system");
  expect(types.at(-1)).toBe("result");
  expect(types).toContain("assistant");
  expect(types).not.toContain("stream_event");
  expect(new Set(lines.map(({ iteration, role }) => `${iteration} ${role}`))).toEqual(new Set(["7 executor"]));
});

test("a raw log that cannot be written ends the run, and Claude Code with it", async () => {
  const box = await claudeBox(story(scene("executor", done)));
  const raw_log = () => Promise.reject(new Error("disk full"));

  await expect(hear(box.agent({ raw_log }), assign())).rejects.toThrow("disk full");
  expect(await readdir(join(box.home, "tmp"))).toEqual([]);
});

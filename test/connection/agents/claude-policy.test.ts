import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, say, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { toolPolicy } from "../../../src/judgment/flow/tool-policy.ts";
import type { ToolPolicy } from "../../../src/model/agent.ts";
import { saying } from "../../support/saying.ts";
import { assign, type ClaudeBox, claudeBox, hear, mcpServer, only, sent } from "./support.ts";

const done = answer({ status: "done" });

function bash(command: string): Turn {
  return use("Bash", { command, description: "work" });
}

/** A box in whose PATH `gh` is a program that keeps what it was asked. */
async function executes(...turns: Turn[]): Promise<ClaudeBox> {
  const box = await claudeBox(story(scene("executor", ...turns, done)));
  const gh = await box.write("bin/gh", '#!/bin/sh\necho "$@" >> "$GH_CALLS"\n');
  await chmod(gh, 0o755);
  const environment = {
    ...box.environment,
    PATH: `${join(gh, "..")}:${box.environment.PATH}`,
    GH_CALLS: join(box.project, "gh-calls"),
    IS_SANDBOX: "1",
  };
  return { ...box, environment, agent: (options) => box.agent({ environment, ...options }) };
}

/** Small, and for these tests only. */
const noClosing: ToolPolicy = ({ scripts }) =>
  scripts.some((script) => /^(sh -c ')?gh issue close/.test(script)) ? "issues are closed elsewhere" : undefined;

const noWriting: ToolPolicy = ({ writes }) => (writes.length > 0 ? "this step only looks" : undefined);

describe("what the policy forbids", () => {
  test.each(["gh issue close 1", "sh -c 'gh issue close 1'"])(
    "%s does not run, and is reported once",
    async (command) => {
      const box = await executes(bash(command), bash("gh issue view 1"));

      const { events, reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign({ forbids: noClosing }));

      expect(await box.read("gh-calls")).toBe("issue view 1\n");
      expect(only(events, "tool-denied")).toEqual([
        { type: "tool-denied", role: "executor", tool: "Bash", reason: "issues are closed elsewhere" },
      ]);
      expect(sent(box.model.requests[1])).toContain("issues are closed elsewhere");
      expect(reply.tools_used).toEqual(["Bash(gh)"]);
      expect(reply).toMatchObject({ structured: { status: "done" } });
    },
  );

  test("is not held against words that only look like it", async () => {
    const box = await executes(
      bash('git -c user.name=x -c user.email=x@x commit -q --allow-empty -m "gh issue close later"'),
    );
    execFileSync("git", ["init", "-q", box.project]);

    const { events } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign({ forbids: noClosing }));

    const subject = execFileSync("git", ["log", "--format=%s"], { cwd: box.project, encoding: "utf8" });
    expect(subject).toBe("gh issue close later\n");
    expect(only(events, "tool-denied")).toEqual([]);
  });

  test.each(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const)(
    "stays undone in the mode %s, whatever is allowed",
    async (access) => {
      const box = await executes(use("Write", { file_path: "made.txt", content: "x" }));
      const allowed_tools = ["Write", "Edit"];

      const { events } = await hear(box.agent({ allowed_tools }), assign({ access, forbids: noWriting }));

      expect(existsSync(join(box.project, "made.txt"))).toBe(false);
      expect(only(events, "tool-denied")).toMatchObject([{ tool: "Write", reason: "this step only looks" }]);
    },
  );

  test("stays undone when settings would switch hooks off or allow everything", async () => {
    const box = await executes(use("Write", { file_path: "made.txt", content: "x" }));
    const allowing = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
    const hook = { type: "command", command: `echo '${allowing}'` };
    const settings = { permissions: { allow: ["Write"] }, hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } };
    await box.write("home/.claude/settings.json", { ...settings, disableAllHooks: true });
    await box.write("project/.claude/settings.json", { ...settings, disableAllHooks: true });

    const { events } = await hear(box.agent(), assign({ access: "bypassPermissions", forbids: noWriting }));

    expect(only(events, "tool-denied")).toHaveLength(1);
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
  });

  test("stays undone when a hook of the user's allows it", async () => {
    const box = await executes(use("Write", { file_path: "made.txt", content: "x" }));
    const allowing = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
    const hook = { type: "command", command: `echo called >> hooked; echo '${allowing}'` };
    await box.write("home/.claude/settings.json", { hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] } });

    await hear(box.agent(), assign({ forbids: noWriting }));

    expect(await box.read("hooked")).toBe("called\n");
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
  });

  test("includes the tools of MCP servers", async () => {
    const box = await executes(use("mcp__sums__add", { a: 19, b: 23 }));
    const diary = join(box.project, "diary");
    const seen: unknown[] = [];
    const forbids: ToolPolicy = (call) => {
      seen.push(call);
      return call.remote === undefined ? undefined : "no sums";
    };

    const { events } = await hear(
      box.agent({ mcp_servers: { sums: mcpServer(diary) }, allowed_tools: ["mcp__sums__*"] }),
      assign({ forbids }),
    );

    expect(await box.read("diary")).toBe("started\n");
    expect(only(events, "tool-denied")).toMatchObject([{ tool: "mcp__sums__add", reason: "no sums" }]);
    expect(seen).toEqual([{ name: "mcp__sums__add", writes: [], scripts: [], remote: "add" }]);
  });

  test("includes what a subagent tries", async () => {
    const box = await claudeBox(
      story(
        scene({ when: "GO-AND-WRITE" }, use("Write", { file_path: "made.txt", content: "x" }), say("I could not.")),
        scene(
          "executor",
          use("Agent", { description: "write", prompt: "GO-AND-WRITE", subagent_type: "general-purpose" }),
          done,
        ),
      ),
    );

    const { events, reply } = await hear(
      box.agent({ allowed_tools: ["Agent", "Write"] }),
      assign({ forbids: noWriting }),
    );

    expect(reply).toMatchObject({ structured: { status: "done" } });
    expect(only(events, "tool-denied")).toMatchObject([{ tool: "Write", reason: "this step only looks" }]);
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
  });

  test("is everything while the policy itself is broken", async () => {
    const box = await executes(bash("touch made.txt"));
    const forbids: ToolPolicy = () => {
      throw new Error("out of order");
    };

    const { events, reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), assign({ forbids }));

    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
    expect(only(events, "tool-denied")).toMatchObject([{ reason: saying("out of order") }]);
    expect(reply).toMatchObject({ structured: { status: "done" } });
  });

  test("never includes the answer", async () => {
    const box = await executes();

    const { reply } = await hear(box.agent(), assign({ forbids: () => "nothing at all" }));

    expect(reply).toMatchObject({ structured: { status: "done" } });
  });
});

describe("the policy of steps", () => {
  test.each(["work", "verification", "closure"] as const)(
    "keeps a %s step from issues and pull requests, and lets it look",
    async (kind) => {
      const forbidden = ["gh issue close 1", "sh -c 'gh issue close 1'", "gh api x", "gh  pr merge 3"];
      const allowed = ["gh pr view 3", "gh issue view 1"];
      const box = await executes(...[...forbidden, ...allowed].map(bash));

      const { events } = await hear(box.agent(), assign({ access: "bypassPermissions", forbids: toolPolicy(kind) }));

      expect(await box.read("gh-calls")).toBe("pr view 3\nissue view 1\n");
      expect(only(events, "tool-denied")).toHaveLength(forbidden.length);
    },
  );

  test("lets a work step write files and commit, and a verification step not", async () => {
    const write = use("Write", { file_path: "made.txt", content: "x" });
    const commit = bash('git -c user.name=x -c user.email=x@x commit -q --allow-empty -m "gh issue close later"');
    const box = await claudeBox(story(scene("executor", write, done), scene("executor", write, commit, done)));
    execFileSync("git", ["init", "-q", box.project]);
    const agent = box.agent({ allowed_tools: ["Write", "Bash"] });

    const verified = await hear(agent, assign({ forbids: toolPolicy("verification") }));
    expect(existsSync(join(box.project, "made.txt"))).toBe(false);
    const worked = await hear(agent, assign({ forbids: toolPolicy("work") }));

    expect(existsSync(join(box.project, "made.txt"))).toBe(true);
    expect(execFileSync("git", ["log", "--format=%s"], { cwd: box.project, encoding: "utf8" })).toContain("later");
    expect(only(verified.events, "tool-denied")).toHaveLength(1);
    expect(only(worked.events, "tool-denied")).toEqual([]);
  });
});

describe("one assignment's own", () => {
  test("model is the one that is asked", async () => {
    const box = await claudeBox(story({ ...scene("executor", done), repeat: true }));
    const agent = box.agent();

    await hear(agent, assign({ model: "claude-opus-4-8" }));
    await hear(agent, assign());

    expect(box.model.requests.map((request) => request.body.model)).toEqual(["claude-opus-4-8", "claude-sonnet-5"]);
  });

  test("permission mode holds for it alone", async () => {
    const write = use("Write", { file_path: "made.txt", content: "x" });
    const box = await executes(write);

    await hear(box.agent({ permission_mode: "plan" }), assign({ access: "acceptEdits" }));

    expect(existsSync(join(box.project, "made.txt"))).toBe(true);
  });
});

describe("without a schema", () => {
  test("the answer is free text, and no form of it is asked for", async () => {
    const { schema: _, ...assignment } = assign();
    const box = await claudeBox(story(scene("executor", bash("true"), say("All is well."))));

    const { reply } = await hear(box.agent({ allowed_tools: ["Bash"] }), { ...assignment, forbids: noWriting });

    expect(reply).toMatchObject({ text: "All is well.", tools_used: ["Bash(true)"] });
    expect(reply.structured).toBeUndefined();
    expect(reply.failure).toBeUndefined();
    expect(sent(box.model.requests[0])).not.toContain("StructuredOutput");
    expect(box.model.requests).toHaveLength(2);
  });
});

test("a question that cannot be answered does not hold up the work", async () => {
  const question = { question: "Which?", header: "Which", multiSelect: false, options: options("A", "B") };
  const box = await executes(use("AskUserQuestion", { questions: [question] }), bash("touch made.txt"));

  const { reply } = await hear(
    box.agent({ allowed_tools: ["Bash", "AskUserQuestion"] }),
    assign({ forbids: noWriting }),
  );

  expect(existsSync(join(box.project, "made.txt"))).toBe(true);
  expect(reply).toMatchObject({ structured: { status: "done" } });
  expect(sent(box.model.requests[0])).not.toContain('"name":"AskUserQuestion"');
});

function options(...labels: string[]): { label: string; description: string }[] {
  return labels.map((label) => ({ label, description: `Take ${label}` }));
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toolCallOf } from "../../../src/connection/agents/claude/tools.ts";
import { toolPolicy } from "../../../src/judgment/flow/tool-policy.ts";
import { intentsOf, type StepKind } from "../../../src/model/flow/steps-registry.ts";
import { saying } from "../../support/saying.ts";
import { spell } from "../../support/spell.ts";

const kinds = Object.keys(intentsOf) as StepKind[];
const bash = (command: string, kind: StepKind = "work") =>
  toolPolicy(kind)(toolCallOf("Bash", { command: spell(command) }));

describe("[C26] the three commands of the conformance list are denied in every kind of step", () => {
  for (const kind of kinds) {
    test.each(["gh issue close 1", "gh api x", "gh pr merge 3"])(`${kind}: %s`, (command) => {
      expect(bash(command, kind)).toEqual(saying("boundary hook"));
    });
    test.each(["gh pr view 3", "gh issue view 1"])(`${kind}: %s is allowed`, (command) => {
      expect(bash(command, kind)).toBeUndefined();
    });
  }
  test('git commit -m "gh issue close later" is allowed', () => {
    expect(bash('git commit -m "gh issue close later"')).toBeUndefined();
  });
});

describe("MCP tools", () => {
  test.each([
    "mcp__github__close_issue",
    "mcp__github__update_issue",
    "mcp__github__issue_write",
    "mcp__github__sub_issue_write",
    "mcp__github__add_issue_comment",
    "mcp__github__create_issue",
    "mcp__github__merge_pull_request",
    "mcp__github__create_pull_request",
    "mcp__github__pull_request_review_write",
    "mcp__github__request_copilot_review",
    "mcp__github__create_release",
    "mcp__github-enterprise__updatePullRequest",
    "mcp__linear__update_issue",
    "mcp__my__server__closeIssue",
  ])("%s changes what only the hook may change", (tool) => {
    expect(toolPolicy("closure")(toolCallOf(tool, {}))).toEqual(saying(tool));
  });

  test.each([
    "mcp__github__get_issue",
    "mcp__github__issue_read",
    "mcp__github__list_issues",
    "mcp__github__get_issue_comments",
    "mcp__github__search_pull_requests",
    "mcp__github__get_pull_request_reviews",
    "mcp__github__get_latest_release",
    "mcp__github__search_code",
    "mcp__github__create_branch",
    "mcp__filesystem__write_file",
    "mcp__notes__create_note",
  ])("%s is allowed", (tool) => {
    expect(toolPolicy("work")(toolCallOf(tool, {}))).toBeUndefined();
  });

  test("a shell behind MCP is a shell", () => {
    const policy = toolPolicy("work");
    expect(policy(toolCallOf("mcp__shell__run", { command: "gh issue close 1" }))).toBeDefined();
    expect(policy(toolCallOf("mcp__shell__run", { cmd: "gh issue close 1" }))).toBeDefined();
    expect(policy(toolCallOf("mcp__shell__run", { command: "gh", args: ["issue", "close", "1"] }))).toBeDefined();
    expect(policy(toolCallOf("mcp__shell__run", { command: ["gh", "issue", "close", "1"] }))).toBeDefined();
    expect(
      policy(toolCallOf("mcp__shell__run", { command: "git", args: ["commit", "-m", "gh issue close 1"] })),
    ).toBeUndefined();
  });
});

describe("[C27] verification steps cannot write files", () => {
  test.each(["Write", "Edit", "MultiEdit", "NotebookEdit", "mcp__filesystem__write_file", "mcp__fs__editFile"])(
    "%s is denied there and nowhere else",
    (tool) => {
      const input = { file_path: "/p/src/a.ts" };
      expect(toolPolicy("verification")(toolCallOf(tool, input))).toEqual(saying("verification step"));
      expect(toolPolicy("work")(toolCallOf(tool, input))).toBeUndefined();
      expect(toolPolicy("closure")(toolCallOf(tool, input))).toBeUndefined();
    },
  );

  test.each(["Read", "Glob", "Grep", "WebFetch", "mcp__filesystem__read_file"])("%s is allowed", (tool) => {
    expect(toolPolicy("verification")(toolCallOf(tool, { file_path: "/p/src/a.ts" }))).toBeUndefined();
  });

  test.each([
    "echo x > src/a.ts",
    "echo x >> a",
    "npm test 2>&1 | tee result.txt",
    "cat <<EOF > a.ts\nx\nEOF",
    "sed -i s/a/b/ a.ts",
    "rm -rf src",
    "touch a",
    "cp a b",
    "sudo mv a b",
    "git commit -am x",
    "git checkout -- .",
    "(cd x && echo y > z)",
    "echo x > /tmp/../etc/x",
    "git -C . commit -am x",
  ])("%s is denied", (command) => {
    expect(bash(command, "verification")).toEqual(saying("verification step"));
    expect(bash(command, "work")).toBeUndefined();
  });

  test.each([
    "npm test",
    "npm test > /dev/null 2>&1",
    "npm test > /tmp/out.txt",
    "git status --porcelain",
    "git diff main",
    "git log -p",
    "grep -rn x . | wc -l",
    "sed -n 1,5p a.ts",
    "test -f a && cat a",
    'echo "a > b"',
  ])("%s is allowed", (command) => {
    expect(bash(command, "verification")).toBeUndefined();
  });
});

test("issues that are kept in files cannot be edited as files", () => {
  const policy = toolPolicy("work");
  expect(policy(toolCallOf("Write", { file_path: "/p/.e8/issues/3.md" }))).toEqual(saying("boundary hook"));
  expect(policy(toolCallOf("Edit", { file_path: ".e8/issues/3.md" }))).toEqual(saying("boundary hook"));
  expect(policy(toolCallOf("Read", { file_path: "/p/.e8/issues/3.md" }))).toBeUndefined();
  expect(policy(toolCallOf("Write", { file_path: "/p/src/.e8/issues.ts" }))).toBeUndefined();
});

describe("quoting never changes the decision", () => {
  const quotings: ((word: string) => string)[] = [
    (word) => word,
    (word) => `'${word}'`,
    (word) => `"${word}"`,
    (word) => `$'${word}'`,
    (word) => [...word].map((sign) => `\\${sign}`).join(""),
    (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
    (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
  ];
  const commands = [
    ["gh", "issue", "close", "1"],
    ["/usr/bin/gh", "pr", "merge", "3"],
    ["timeout", "5", "gh", "issue", "edit", "1"],
    ["curl", "https://api.github.com/x"],
    ["gh", "issue", "view", "1"],
    ["gh", "pr", "checks"],
    ["git", "push", "origin", "main"],
    ["echo", "gh", "issue", "close"],
  ];
  const quoting = fc.constantFrom(...quotings);
  const gap = fc.constantFrom(" ", "  ", "\t", " \\\n ");
  const around: ((command: string) => string)[] = [
    (command) => command,
    (command) => `true && ${command}`,
    (command) => `(${command})`,
    (command) => `{ ${command}; }`,
    (command) => `echo $(${command})`,
    (command) => `if true; then ${command}; fi`,
    (command) => `FOO=bar ${command} 2>&1`,
    (command) => `sh -c '${command.replaceAll("'", "'\\''")}'`,
  ];

  test("of a word, a gap or a surrounding", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commands),
        fc.array(fc.tuple(quoting, gap), { minLength: 6, maxLength: 6 }),
        fc.constantFrom(...around),
        (words, styles, surround) => {
          const written = words.map((word, at) => (styles[at]?.[0](word) ?? word) + (styles[at]?.[1] ?? " ")).join("");
          expect(bash(surround(written)) === undefined).toBe(bash(words.join(" ")) === undefined);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("no text makes the policy throw", () => {
    const sign = fc.constantFrom(..."gh issue close$(){}'\"`\\<>|&;\n#=-/*?[]".split(""), "\u{1F600}");
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        for (const kind of kinds) expect(() => bash(signs.join(""), kind)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

test("no kind of step removes the records of the tasks", () => {
  expect(bash("git clean -fdx")).toEqual(saying("git clean -fdx -e .e8"));
  expect(bash("git clean -fdx -e .e8")).toBeUndefined();
});

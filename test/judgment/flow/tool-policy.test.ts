import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toolPolicy } from "../../../src/judgment/flow/tool-policy.ts";
import { intentsOf, type StepKind } from "../../../src/model/definition/steps-registry.ts";
import { spell } from "../../support/spell.ts";

const kinds = Object.keys(intentsOf) as StepKind[];
const bash = (command: string, kind: StepKind = "work") => toolPolicy(kind)("Bash", { command: spell(command) });

describe("[C26] the three commands of the conformance list are denied in every kind of step", () => {
  for (const kind of kinds) {
    test.each(["gh issue close 1", "gh api x", "gh pr merge 3"])(`${kind}: %s`, (command) => {
      expect(bash(command, kind)).toContain("boundary hook");
    });
    test.each(["gh pr view 3", "gh issue view 1"])(`${kind}: %s is allowed`, (command) => {
      expect(bash(command, kind)).toBeUndefined();
    });
  }
  test('git commit -m "gh issue close later" is allowed', () => {
    expect(bash('git commit -m "gh issue close later"')).toBeUndefined();
  });
});

describe("a step must not", () => {
  test.each([
    // what gh can do
    "gh issue edit 1 --add-label done",
    "gh issue reopen 1",
    "gh issue delete 1 --yes",
    "gh issue transfer 1 o/r",
    "gh issue lock 1",
    "gh issue comment 1 -b hello",
    "gh issue create -t x -b y",
    "gh issue pin 1",
    "gh issue develop 1",
    "gh pr close 3",
    "gh pr create --fill",
    "gh pr edit 3",
    "gh pr ready 3",
    "gh pr review 3 --approve",
    "gh pr comment 3 -b x",
    "gh release create v1",
    "gh release upload v1 a.tgz",
    "gh release delete v1",
    "gh label create x",
    "gh label delete x",
    "gh repo delete o/r",
    "gh repo edit --visibility public",
    "gh api repos/o/r/issues/1 -X PATCH -f state=closed",
    "gh api graphql -f query=x",
    "gh workflow run release.yml",
    "gh run rerun 1",
    "gh secret set X",
    "gh auth token",
    "gh alias set c 'issue close'",
    "gh c 1",
    "gh extension exec close 1",
    // options in between
    "gh -R o/r issue close 1",
    "gh --repo o/r issue close 1",
    "gh --repo=o/r issue close 1",
    "gh issue -R o/r close 1",
    "gh issue -R view close 1",
    "gh issue --repo view close 1",
    // how it is written
    "gh  issue\tclose 1",
    "/usr/bin/gh  pr merge 3",
    "./gh issue close 1",
    "~/bin/gh issue close 1",
    "GH issue close 1",
    "gh.exe issue close 1",
    "'gh' issue close 1",
    '"gh" "issue" "close" "1"',
    "g'h' is\"sue\" c\\lose 1",
    "\\gh issue close 1",
    "$'gh' issue close 1",
    "$'\\x67\\150' issue close 1",
    '$"gh" issue close 1',
    "gh \\\n  issue close 1",
    "gh issue close 1 # gh issue view 1",
    "# harmless\ngh issue close 1",
    "{gh,issue,close,1}",
    "/usr/bin/g? issue close 1",
    "/usr/bin/g[h] issue close 1",
    // among other commands
    "cd x && gh issue close 1",
    "true; gh issue close 1",
    "true;gh issue close 1",
    "true\ngh issue close 1",
    "false || gh issue close 1",
    "sleep 1 & gh issue close 1",
    "echo x | gh issue close 1 --comment -",
    "gh issue view 1 && gh issue close 1",
    "(gh issue close 1)",
    "((gh issue close 1) && true)",
    "{ gh issue close 1; }",
    "! gh issue close 1",
    "time gh issue close 1",
    "if true; then gh issue close 1; fi",
    "for i in 1 2; do gh issue close $i; done",
    "while read n; do gh issue close $n; done < list",
    "case x in x) gh issue close 1;; esac",
    "f() { gh issue close 1; }; f",
    'f() { gh "$@"; }; f issue close 1',
    "function f { gh issue close 1; }; f",
    "> log gh issue close 1",
    "2>/dev/null gh issue close 1",
    "gh issue close 1 > log 2>&1",
    // substitutions
    "echo $(gh issue close 1)",
    'echo "$(gh issue close 1)"',
    "echo `gh issue close 1`",
    'echo "`gh issue close 1`"',
    "x=$(gh issue close 1)",
    "echo «x:-$(gh issue close 1)}",
    "echo $(( $(gh issue close 1) ))",
    "diff <(gh issue close 1) a",
    "cat <<EOF\n$(gh issue close 1)\nEOF",
    "$(which gh) issue close 1",
    "$(command -v gh) issue close 1",
    "$(echo gh) issue close 1",
    "`echo gh` issue close 1",
    // variables
    "GH_TOKEN=x gh issue close 1",
    "A=1 B=2 gh issue close 1",
    "g=gh; $g issue close 1",
    "g=gh; «g} issue close 1",
    'c="issue close"; gh $c 1',
    "x='gh issue close 1'; $x",
    "x='gh issue close 1'; eval $x",
    "export g=gh; $g issue close 1",
    "$G issue close 1",
    "for g in gh; do $g issue close 1; done",
    "gh issue $verb 1",
    "gh $everything",
    "gh «x:-issue} close 1",
    "alias g=gh\ng issue close 1",
    "alias c='gh issue close'\nc 1",
    // programs that run programs
    "sudo gh issue close 1",
    "sudo -u me gh issue close 1",
    "env gh issue close 1",
    "env -i A=b gh issue close 1",
    "env -S 'gh issue close 1'",
    "command gh issue close 1",
    "command -p gh issue close 1",
    "builtin command gh issue close 1",
    "exec gh issue close 1",
    "exec -a x gh issue close 1",
    "nohup gh issue close 1 &",
    "timeout 5 gh issue close 1",
    "timeout -k 5 10s gh issue close 1",
    "nice -n 5 gh issue close 1",
    "stdbuf -oL gh issue close 1",
    "setsid gh issue close 1",
    "sudo env A=b timeout 5 gh issue close 1",
    "xargs gh issue close < list",
    "echo 1 | xargs gh issue close",
    "echo 1 | xargs -I{} gh issue close {}",
    "echo issue close 1 | xargs gh",
    "echo close 1 | xargs gh issue",
    "find . -name x -exec gh issue close {} \\;",
    "parallel gh issue close ::: 1 2",
    "watch 'gh issue close 1'",
    "script -c 'gh issue close 1' log",
    "ssh host gh issue close 1",
    "ssh host 'gh issue close 1'",
    "su -c 'gh issue close 1'",
    "docker run image sh -c 'gh issue close 1'",
    "npx -c 'gh issue close 1'",
    "some-wrapper gh issue close 1",
    "trap 'gh issue close 1' EXIT",
    "EDITOR='gh issue close 1' git commit",
    "git -c alias.x='!gh issue close 1' x",
    "git config alias.x '!gh issue close 1'",
    "git rebase -x 'gh issue close 1' main",
    "git rebase --exec='gh issue close 1' main",
    "git bisect run gh issue close 1",
    "git submodule foreach 'gh issue close 1'",
    // shells
    "sh -c 'gh issue close 1'",
    'bash -c "gh issue close 1"',
    "zsh -c 'gh issue close 1'",
    "/bin/sh -c 'gh issue close 1'",
    "bash -lc 'gh issue close 1'",
    "bash -o pipefail -c 'gh issue close 1'",
    "sh -c \"sh -c 'gh issue close 1'\"",
    'sh -c \'sh -c "sh -c \\"gh issue close 1\\""\'',
    "sh -c '$0 issue close 1' gh",
    "sh -c '\"$@\"' x gh issue close 1",
    "sudo bash -c 'cd x && gh issue close 1'",
    "busybox sh -c 'gh issue close 1'",
    "eval gh issue close 1",
    "eval 'gh issue close 1'",
    'eval "gh issue" "close 1"',
    "bash <<< 'gh issue close 1'",
    "bash <<EOF\ngh issue close 1\nEOF",
    "bash -s <<'EOF'\ngh issue close 1\nEOF",
    "cat <<-EOF | sh\n\tgh issue close 1\n\tEOF",
    "echo 'gh issue close 1' | sh",
    "printf '%s\\n' 'gh issue close 1' | bash -x",
    "echo 'gh issue close 1' | tee log | sh",
    "(echo 'gh issue close 1') | sh",
    "bash <(echo gh issue close 1)",
    "source <(echo 'gh issue close 1')",
    ". /dev/stdin <<< 'gh issue close 1'",
    // other languages
    "python3 -c \"import os; os.system('gh issue close 1')\"",
    "python3 -c \"import subprocess as s; s.run(['gh', 'issue', 'close', '1'])\"",
    "python3 - <<'EOF'\nimport os\nos.system('gh issue close 1')\nEOF",
    "node -e \"require('child_process').execSync('gh pr merge 3')\"",
    "perl -e 'system(\"gh issue close 1\")'",
    "awk 'BEGIN { system(\"gh issue close 1\") }'",
    // around gh
    'curl -X PATCH https://api.github.com/repos/o/r/issues/1 -d \'{"state":"closed"}\'',
    "curl 'https://API.GitHub.com/repos'",
    'curl https://api.git"hub.com"/repos',
    "curl https://api%2Egithub.com/repos",
    "h=api.github.com; curl https://$h/repos",
    "wget https://api.github.com/repos/o/r",
    "http PATCH api.github.com/repos/o/r/issues/1 state=closed",
    "curl https://uploads.github.com/repos/o/r/releases/1/assets",
    "curl https://github.example.com/api/v3/repos/o/r/issues/1",
    "python3 -c \"import requests; requests.patch('https://api.github.com/x')\"",
    "sh -c 'curl https://api.github.com/x'",
    "exec 3<>/dev/tcp/api.github.com/443",
    "hub issue close 1",
    "hub api x",
    "sudo hub pull-request",
    // issues kept in files
    "echo 'state: CLOSED' > .e8/issues/3.md",
    "sed -i s/OPEN/CLOSED/ .e8/issues/3.md",
    "rm .e8/issues/3.md",
    "python3 fix.py ./.e8/issues/3.md",
  ])("%s", (command) => {
    expect(bash(command)).toContain("boundary hook");
  });
});

describe("a step may", () => {
  test.each([
    "gh",
    "gh --version",
    "gh help issue",
    "gh issue",
    "gh issue list --state open --json number",
    "gh issue ls",
    "gh issue status",
    "gh -R o/r issue view 1",
    "gh issue view 1 --comments -R o/r",
    "gh pr view 3 --json state --jq .state",
    "gh pr view $number",
    "gh pr diff 3",
    "gh pr checks 3",
    "gh pr checkout 3",
    "gh pr list | grep close",
    "gh issue list | xargs -n1 gh issue view",
    "gh release view v1",
    "gh release download v1",
    "gh label list",
    "gh repo view o/r",
    "gh repo clone o/r",
    "gh run view 1 --log",
    "gh search issues close",
    "gh auth status",
    "timeout 5 gh issue view 1",
    "sh -c 'gh issue view 1'",
    "git push origin main",
    "git push --force-with-lease",
    "git commit -m 'gh issue close later'",
    "git commit -m gh\\ issue\\ close",
    "git commit -am \"fix: $(cat <<'EOF'\ngh issue close 1\nEOF\n)\"",
    "git commit -F - <<'EOF'\ngh issue close 1\nEOF",
    "git log --grep 'gh issue close'",
    "git merge main",
    "jj commit -m 'gh issue close later'",
    "echo gh issue close 1",
    "echo 'gh issue close 1' >> notes.md",
    "cat > notes.md <<'EOF'\ngh issue close 1\ncurl https://api.github.com/\nEOF",
    "grep -rn 'gh issue close' .",
    "grep -rn gh issue close",
    "rg 'api.github.com' src",
    "# gh issue close 1",
    "ls # gh issue close 1",
    "npm install gh",
    "brew install gh jq",
    "which gh",
    "command -v gh",
    "type gh",
    "man gh issue close",
    "npm test",
    "[ -f issue ] && [[ close == close ]]",
    "ls *.md; cat ?h.txt",
    "npm run issue close",
    "$NPM run build",
    "$RUNNER test --close",
    "curl https://example.com/api.html",
    "curl -s http://localhost:8080/issues/close",
    "python3 -m pytest -k close",
    "python3 -c 'print(1)'",
    "node -e 'console.log(\"gh\")'",
    "for i in 1 2; do echo $i; done",
    "x=gh; echo $x issue close 1",
    "awk '{ print $1 }' gh",
    "cat .e8/issues/3.md",
    "grep -l OPEN .e8/issues/*.md",
    "",
    "   ",
    "'",
    "$(",
    "<<EOF",
    "`",
    "${",
  ])("%s", (command) => {
    expect(bash(command)).toBeUndefined();
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
    expect(toolPolicy("closure")(tool, {})).toContain(tool);
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
    expect(toolPolicy("work")(tool, {})).toBeUndefined();
  });

  test("a shell behind MCP is a shell", () => {
    const policy = toolPolicy("work");
    expect(policy("mcp__shell__run", { command: "gh issue close 1" })).toBeDefined();
    expect(policy("mcp__shell__run", { cmd: "gh issue close 1" })).toBeDefined();
    expect(policy("mcp__shell__run", { command: "gh", args: ["issue", "close", "1"] })).toBeDefined();
    expect(policy("mcp__shell__run", { command: ["gh", "issue", "close", "1"] })).toBeDefined();
    expect(policy("mcp__shell__run", { command: "git", args: ["commit", "-m", "gh issue close 1"] })).toBeUndefined();
  });
});

describe("[C27] verification steps cannot write files", () => {
  test.each(["Write", "Edit", "MultiEdit", "NotebookEdit", "mcp__filesystem__write_file", "mcp__fs__editFile"])(
    "%s is denied there and nowhere else",
    (tool) => {
      const input = { file_path: "/p/src/a.ts" };
      expect(toolPolicy("verification")(tool, input)).toContain("verification step");
      expect(toolPolicy("work")(tool, input)).toBeUndefined();
      expect(toolPolicy("closure")(tool, input)).toBeUndefined();
    },
  );

  test.each(["Read", "Glob", "Grep", "WebFetch", "mcp__filesystem__read_file"])("%s is allowed", (tool) => {
    expect(toolPolicy("verification")(tool, { file_path: "/p/src/a.ts" })).toBeUndefined();
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
  ])("%s is denied", (command) => {
    expect(bash(command, "verification")).toContain("verification step");
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
  expect(policy("Write", { file_path: "/p/.e8/issues/3.md" })).toContain("boundary hook");
  expect(policy("Edit", { file_path: ".e8/issues/3.md" })).toContain("boundary hook");
  expect(policy("Read", { file_path: "/p/.e8/issues/3.md" })).toBeUndefined();
  expect(policy("Write", { file_path: "/p/src/.e8/issues.ts" })).toBeUndefined();
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

  test("and no text whatever makes the policy throw", () => {
    const sign = fc.constantFrom(..."gh issue close$(){}'\"`\\<>|&;\n#=-/*?[]".split(""), "\u{1F600}");
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        for (const kind of kinds) expect(() => bash(signs.join(""), kind)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

test("a script that expands into itself comes to an end", () => {
  expect(bash("x='eval $x'; eval $x")).toContain("nested too deeply");
});

import { expect, test } from "vitest";
import { asksWorkspace } from "../../../src/judgment/flow/asks-workspace.ts";

const asks = (command: string) => asksWorkspace({ type: "command", command });

test.for([
  "git status --porcelain",
  'test -z "$(git status --porcelain)"',
  "gh pr checks 3",
  "git log origin/main..HEAD | wc -l",
  "! git diff --quiet",
  "GIT_PAGER=cat git log -1 | grep -q fix",
  "[ `git rev-parse HEAD` = x ]",
  "git fetch -q && git status -sb | grep -v ahead",
])("%s asks about the workspace or the tracker", (command) => {
  expect(asks(command)).toBe(true);
});

test.for([
  "npm test",
  "npm test && git diff --exit-code",
  "cargo test",
  "test -e README.md",
  "grep -q git README.md",
  "./git-check.sh",
  "sh -c 'git status'",
  "",
])("%s can be answered by a clean checkout", (command) => {
  expect(asks(command)).toBe(false);
});

test("a module of the flow sees the workspace only", () => {
  expect(asksWorkspace({ type: "custom" })).toBe(true);
  expect(asksWorkspace({ type: "file" })).toBe(false);
});

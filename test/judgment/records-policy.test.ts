import { expect, test } from "vitest";
import { toolCallOf } from "../../src/connection/agents/claude/tools.ts";
import { sparesRecords } from "../../src/judgment/records-policy.ts";
import { teller } from "../../src/texts/tell.ts";

const reasonAgainst = (command: string) => {
  const reason = sparesRecords(toolCallOf("Bash", { command }));
  return reason && teller("en")(reason);
};

test.each([
  ["git clean -fdx", "git clean -fdx -e .e8"],
  ["git clean -xffd && npm ci", "git clean -fdx -e .e8"],
  ["cd . ; sudo git -C . clean -d -X --force .", "git clean -fdx -e .e8"],
  ["git clean -fdx -e node_modules", "git clean -fdx -e .e8"],
  ["bash -c 'git clean -fdx'", "git clean -fdx -e .e8"],
  ["git stash -a", "git stash --include-untracked"],
  ["git stash push --all -m wip", "git stash --include-untracked"],
  ["rm -rf dist .e8", "leave it where it is"],
  ['rm -r "/home/me/project/.e8/tasks"', "leave it where it is"],
  ["mv .e8 /tmp", "leave it where it is"],
])("%s is denied, with what to do instead", (command, instead) => {
  expect(reasonAgainst(command)).toContain(instead);
});

test.each([
  ...["git clean -fd", "git clean -fx", "git clean -ndx", "git clean -fdx -e .e8", "git clean -fdx --exclude=.e8"],
  ...["git clean -fdxe .e8", "git clean -fdx --exclude /.e8/", "git clean -fdx src build", "git stash", "git stash -u"],
  ...["git stash -a -- . ':!.e8'", "git commit -am 'git clean -fdx'", "echo rm -rf .e8", "rm -rf dist", "ls .e8"],
])("%s is not", (command) => {
  expect(reasonAgainst(command)).toBeUndefined();
});

test("tools other than the shell are let through", () => {
  expect(sparesRecords(toolCallOf("Write", { file_path: "a", content: "rm -rf .e8" }))).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { toolCallOf } from "../../../src/connection/agents/claude/tools.ts";
import { toolPolicy } from "../../../src/judgment/flow/tool-policy.ts";
import { sparesRecords } from "../../../src/judgment/records-policy.ts";
import { programsRun } from "../../../src/judgment/shell/programs-run.ts";
import { spell } from "../../support/spell.ts";

/** Ways to run a program through another one; `%` stands for it. */
const ways = [
  "sh -c '%'",
  "bash -lc '%'",
  "bash -o pipefail -c '%'",
  "cd x && sh -c 'cd y; %'",
  "sudo sh -c \"bash -c '%'\"",
  "eval '%'",
  "eval %",
  "echo '%' | sh",
  "bash <<'EOF'\n%\nEOF",
  "bash <(echo '%')",
  "trap '%' EXIT",
  "timeout 5 %",
  "timeout -k 5 --signal KILL 10s %",
  "nice %",
  "nice -n 5 %",
  "sudo -u x %",
  "sudo --user x A=b %",
  "env -i A=b %",
  "env -S '%'",
  "command %",
  "exec -a name %",
  "nohup % &",
  "time -p %",
  "stdbuf -oL %",
  "sudo env A=b timeout 5 nice -n 3 %",
  "flock lock %",
  "flock lock -c '%'",
  "strace -f -o log %",
  "xargs -0 -n 1 %",
  "find . -name '*.o' -exec % \\;",
  "find . -exec echo {} + -exec sh -c '%' \\;",
  "fd -e o -x %",
  "npx -p tool %",
  "npm exec -- %",
  "mise exec node@20 -- %",
  "watch -n 5 '%'",
  "ssh -p 22 host %",
  "su -c '%' me",
  "script -c '%' /dev/null",
  "busybox %",
  "function f { %; }; f",
  "git rebase -x '%' main",
  "git -c alias.x='!%' x",
  "echo $(timeout 5 %)",
];

const through = (way: string, command: string) => way.replace("%", command);
const verification = (command: string) => toolPolicy("verification")(toolCallOf("Bash", { command }));

describe.each(ways)("behind %s", (way) => {
  test("the program that really runs is found, by each of the three policies", () => {
    expect(programsRun(through(way, "rm -r build")).programs.map(({ words }) => words.slice(0, 3))).toContainEqual([
      "rm",
      "-r",
      "build",
    ]);
    expect(verification(through(way, "rm -r build"))).toBeDefined();
    expect(verification(through(way, "gh issue close 1"))).toBeDefined();
    expect(sparesRecords(toolCallOf("Bash", { command: through(way, "rm -rf .e8") }))).toBeDefined();
  });
});

describe.each(["sh -c '%'", "timeout 5 sh -c '%'", "find . -exec bash -c '%' \\;"])("behind %s", (way) => {
  test("a file that is written is seen", () => {
    expect(verification(through(way, "echo x > a.txt"))).toBeDefined();
    expect(verification(through(way, "cat a.txt"))).toBeUndefined();
  });
});

describe("a word that stands for itself is not a program", () => {
  test.each([
    "timeout 60 grep -rn touch src",
    "xargs -0 grep -n rm src",
    "sudo -u touch cat a",
    "find . -name rm",
    "find . -exec grep -n 'rm -r' {} +",
    "npx vitest -t 'rm -r build'",
    "npm run rm build",
    "sh check.sh 'rm -r build'",
    "bash check.sh <<< 'rm -r build'",
    "git log --grep 'rm -r build'",
    "env | grep touch x",
    "time npm test",
  ])("%s", (command) => {
    expect(verification(command)).toBeUndefined();
  });
});

test.each(["find . -name '*.o' -delete", "time -p sed -i s/a/b/ x"])("%s writes", (command) => {
  expect(verification(command)).toBeDefined();
});

describe("a script comes to an end that", () => {
  test.each([
    ["is nested without measure", "$(".repeat(20_000)],
    ["expands into itself", "x='eval $x'; eval $x"],
  ])("%s", (_, script) => {
    expect(programsRun(script)).toMatchObject({ isTooDeep: true });
    expect(sparesRecords(toolCallOf("Bash", { command: script }))).toBeUndefined();
  });

  test("grows with each expansion", () => {
    const names = [..."abcdefghi"];
    const growing = names.map((name, at) => `${name}='${`eval $${names[at + 1] ?? "z"}; `.repeat(8)}'`).join("; ");
    expect(programsRun(spell(`${growing}; eval $a`))).toMatchObject({ isTooDeep: true });
  });
});

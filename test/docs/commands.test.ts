import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { terminalOutput } from "../../src/cli/output.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { en } from "../../src/texts/en/catalogue.ts";

const ROOT = new URL("../../", import.meta.url);
const program = buildProgram({ texts: en, output: terminalOutput() });

const PAGES = [
  ...["README.md", "README.ja.md", "CONTRIBUTING.md"],
  ...pagesIn("docs/"),
  ...pagesIn("docs/ja/"),
  ...["plugin/skills/long-work/SKILL.md", "plugin/commands/e8.md"],
];

/** Flags that belong to the agent that is run, or to other programs that a page shows on a line with e8. */
const OF_AGENTS = /^e8 agent run /;

test.each(PAGES)("the commands and flags of e8 that %s shows are there", (page) => {
  const text = readFileSync(new URL(page, ROOT), "utf8");

  expect(callsIn(text).flatMap(problemIn)).toEqual([]);
});

test("a command or a flag that is not there is found", () => {
  const found = callsIn(
    "Say `e8 lsit`, `e8 run x --nope`, or `e8 knowledge fnd x`.\n\n```sh\ncd x && e8 show --prof\n```\n",
  );

  const problems = found.flatMap(problemIn);
  expect(problems.sort()).toEqual(["--nope (e8 run)", "--prof (e8 show)", "e8 knowledge fnd", "e8 lsit"]);
});

function pagesIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`);
}

/** What stands as code and calls e8, up to the end of the call. */
function callsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)?\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.replaceAll("\\\n", " ").split("\n"),
  );
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return [...blocks, ...spans].flatMap((line) =>
    [...line.replace(/\s#.*$/, "").matchAll(/(?:^|[|&;(]\s*|\$ |\b(?:npx|nohup|nice|sudo|exec) )(e8 [^|&;)]+)/g)].map(
      ([, call = ""]) => call.trim(),
    ),
  );
}

function problemIn(call: string): string[] {
  const words = call.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)?.slice(1) ?? [];
  let command: Command = program;
  const path = ["e8"];
  while (words.length > 0 && command.commands.length > 0) {
    const [name = ""] = words;
    const next = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
    if (!next) break;
    command = next;
    path.push(name);
    words.shift();
  }
  const [word = ""] = words;
  const isName = /^[a-z][a-z-]*$/.test(word);
  if (isName && command.commands.length > 0 && !takesWords(command)) return [[...path, word].join(" ")];
  if (OF_AGENTS.test(call) || path.includes("help")) return [];
  const known = new Set([
    "--help",
    "-h",
    "--lang",
    "--version",
    ...[command, ...command.commands].flatMap(({ options }) => options).flatMap(({ long, short }) => [long, short]),
  ]);
  const flags = words.flatMap((one) => /^(--?[A-Za-z][\w-]*)/.exec(one)?.[1] ?? []);
  return flags.filter((flag) => !known.has(flag)).map((flag) => `${flag} (${path.join(" ")})`);
}

/** A group whose default command takes words of its own. */
function takesWords(command: Command): boolean {
  return command.registeredArguments.length > 0;
}

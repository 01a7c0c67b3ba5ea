import { expect, test } from "vitest";
import { sandbox } from "../support/sandbox.ts";

function runOf(agent: string, ...more: string[]): string[] {
  return ["run", "Mend the cart", "--check", "test -f go", "--agent-command", agent, ...more];
}

test("piped, a run says plain lines and nothing that steers a terminal", async () => {
  const box = await sandbox();

  const ended = await box.e8([...runOf("echo up"), "-n", "1"], { env: { TERM: "xterm-256color" } });

  expect(ended.stderr).toMatch(
    /^task \S+\n {2}Mend the cart\niteration 1 of 1\n {2}working\n {2}the worker claims success: up\n {2}running the checks\n {2}✘ not met/,
  );
  expect(ended.stderr + ended.stdout).not.toContain("\u001b");
});

test("a worker's text is plain in the plain lines, too", async () => {
  const box = await sandbox();

  const ended = await box.e8([...runOf("printf '\\033]2;taken over\\007\\033[2Jup\\n'"), "-n", "1", "--verbose"]);

  expect(ended.stderr).toContain("📝 up");
  expect(ended.stderr + ended.stdout).not.toContain("\u001b");
});

test("a piped run does not load what draws and asks", async () => {
  const box = await sandbox();
  const hook =
    "export async function resolve(name, context, next) { console.error('loads', name); return next(name, context) }";
  const encoded = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const spy = encoded(`import { register } from "node:module"; register(${JSON.stringify(encoded(hook))})`);

  const ended = await box.e8([...runOf("echo up"), "-n", "1"], { env: { NODE_OPTIONS: `--import=${spy}` } });

  expect(ended.stderr).toMatch(/loads .*\/bin\/e8\.js|loads \.\.?\//);
  expect(ended.stderr).not.toMatch(/loads (ink|react|@clack)/);
});

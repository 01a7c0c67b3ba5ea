import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { answers, byProgram, says, writeAgent } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { summarizes, works } from "../support/stories.ts";

const TOKEN = "ghp_0123456789abcdef";
const MCP_SERVER = fileURLToPath(new URL("../support/mcp-server.mjs", import.meta.url));

/** Works where it finds a token or a login, as the real one does, and keeps its arguments and environment. */
const FAKE_GH = `#!/bin/sh
{ echo "== $*"; env; } >> "$HOME/gh.log"
if [ -n "$GH_TOKEN$GITHUB_TOKEN" ] || [ -f "\${GH_CONFIG_DIR:-$HOME/.config/gh}/hosts.yml" ]; then echo "gh did $*"; exit 0; fi
echo "To get started with GitHub CLI, please run:  gh auth login" >&2
exit 4
`;

/** A user who is logged in, and whose shell comes from a git hook. */
async function loggedIn(box: Sandbox): Promise<Record<string, string>> {
  const bin = join(box.home, "bin");
  await mkdir(bin);
  await mkdir(join(box.home, ".config", "gh"), { recursive: true });
  await writeFile(join(bin, "gh"), FAKE_GH);
  await chmod(join(bin, "gh"), 0o755);
  await writeFile(join(box.home, ".config", "gh", "hosts.yml"), "github.com:\n");
  await writeFile(
    join(box.home, ".gitconfig"),
    "[user]\n\tname = Me\n\temail = me@example.com\n[credential]\n\thelper = store\n",
  );
  await writeFile(join(box.home, ".git-credentials"), "https://me:from-the-store@github.com\n");
  return { PATH: `${bin}:${box.env.PATH}`, GITHUB_TOKEN: TOKEN, GH_TOKEN: TOKEN, GIT_INDEX_FILE: "/elsewhere/index" };
}

async function ghLog({ home }: Sandbox): Promise<string> {
  return readFile(join(home, "gh.log"), "utf8").catch(() => "");
}

/** However the worker calls it. */
const WAYS = [
  "gh issue close 1",
  "printf 'gh issue close 1' > close.sh; sh close.sh",
  "echo Z2ggaXNzdWUgY2xvc2UgMQ== | base64 -d | sh",
  `node -e "require('child_process').execSync('gh issue close 1', { stdio: 'inherit' })"`,
].map((way) => `(${way}) >> out.txt 2>&1`);

const WORK = `${WAYS.join("; ")}; git init -q; git commit -q --allow-empty -m works; printf 'protocol=https\\nhost=github.com\\n\\n' | git credential fill >> out.txt 2>&1; env > worker.env; echo done`;

test("a worker finds no login, however it calls gh, and git commits but has no password", async () => {
  const box = await quickSandbox();
  const env = await loggedIn(box);
  const check = "env > check.env; git log --format=%an | grep -q Me";

  const ended = await box.e8(["run", "Work", "--agent-command", WORK, "--check", check, "-V"], { env });

  expect(ended.code, ended.stderr).toBe(0);
  const out = await box.read("out.txt");
  expect(out.match(/gh auth login/g)).toHaveLength(WAYS.length);
  expect(out).not.toMatch(/gh did|from-the-store/);
  for (const file of ["worker.env", "check.env"]) {
    expect(await box.read(file)).not.toContain(TOKEN);
    expect(await box.read(file)).not.toContain("/elsewhere/index");
  }
  expect(ended.stderr).toMatch(/do not get these credentials: .*GITHUB_TOKEN.*gh\. --pass-credentials/);
});

test("--pass-credentials hands on what it names, and --dry-run says what is withheld", async () => {
  const box = await quickSandbox();
  const env = await loggedIn(box);
  const run = ["run", "Work", "--agent-command", WORK, "--check", "true", "--pass-credentials", "gh"];

  const dry = await box.e8([...run, "--dry-run"], { env: { ...env, GITLAB_TOKEN: "glpat-0123456789" } });
  expect(dry.stdout).toMatch(/pass_credentials +\["gh"\]/);
  expect(dry.stdout).toMatch(/do not get these credentials: GITLAB_TOKEN\./);

  const ended = await box.e8([...run, "--pass-credentials", "git"], { env });
  expect(ended.code, ended.stderr).toBe(0);
  const out = await box.read("out.txt");
  expect(out.match(/gh did issue close 1/g)).toHaveLength(WAYS.length);
  expect(out).toContain("password=from-the-store");

  const wrong = await box.e8([...run, "--pass-credentials", "github"], { env });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/gh, glab, git, ssh, all, or the name/) });
});

test("a check that only asks the tracker has the user's login, and so has a command at the end", async () => {
  const box = await quickSandbox();
  const env = await loggedIn(box);
  const checks = ["--check", "gh pr view 3 | grep -q did", "--check", "! sh -c 'npm --version; gh pr view 3'"];
  const args = ["run", "Work", "--agent-command", "touch x; echo done", ...checks, "--on-end", "gh issue comment 1"];

  const ended = await box.e8(args, { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(await ghLog(box)).toMatch(/== issue comment 1\n[^=]*(?:=.*\n)*.*GITHUB_TOKEN=ghp_/);
});

test("Claude Code's commands have no login, not even from its own settings; the user's MCP server has what its env names", async () => {
  const bash = use("Bash", { command: "./close.sh > out.txt 2>&1; env > worker.env", description: "close" });
  const box = await quickSandbox(
    story(works("did it", bash, use("mcp__sums__add", { a: 1, b: 2 })), summarizes("did it")),
  );
  const env = await loggedIn(box);
  await box.write("close.sh", "#!/bin/sh\ngh issue close 1\n");
  await chmod(join(box.project, "close.sh"), 0o755);
  await mkdir(join(box.home, ".claude"), { recursive: true });
  const settings = { env: { GITLAB_TOKEN: "glpat-of-the-settings" } };
  await writeFile(join(box.home, ".claude", "settings.json"), JSON.stringify(settings));
  const server = { command: "sh", args: ["-c", `echo "$SERVER_TOKEN" > server.env; exec node '${MCP_SERVER}' diary`] };
  const task = {
    task: "Work",
    criteria: [{ type: "command", command: "test -f out.txt" }],
    mcp_servers: { sums: { ...server, env: { SERVER_TOKEN: "$".concat("{GITHUB_TOKEN}") } } },
    intake: false,
  };
  await box.write("task.yaml", JSON.stringify(task));

  const ended = await box.e8(["run", "--config", "task.yaml"], { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.read("out.txt")).toContain("gh auth login");
  expect(await box.read("worker.env")).not.toMatch(/ghp_|glpat-/);
  expect(await box.read("diary")).toContain("1 + 2");
  expect(await box.read("server.env")).toBe(`${TOKEN}\n`);
});

test("a flow's step has no login; a validator that asks the tracker has it", async () => {
  const box = await quickSandbox();
  const env = await loggedIn(box);
  const runner = { command: "sh", args: ["-c", 'gh issue close 1 > out.txt 2>&1; cat "$E8_ITERATION.json"'] };
  await writeAgent(box, {
    steps: [
      { id: "initial.work", go: { next: "closure.task" }, more: { runner } },
      { id: "closure.task", go: { closing: null, repeat: "initial.work" }, more: byProgram },
    ],
    registry: {
      validators: {
        "pr-open": { type: "command", command: "gh pr view 3", successWhen: "exitCode:0" },
        "no-login": { type: "command", command: "! sh close.sh", successWhen: "exitCode:0" },
      },
      completionSteps: {
        "closure.task": {
          stepId: "closure.task",
          name: "Task",
          c2: "retry",
          c3: "task",
          completionConditions: [{ validator: "pr-open" }, { validator: "no-login" }],
        },
      },
    },
  });
  await box.write("close.sh", "gh issue close 1\n");
  await answers(box, says("next"), says("closing"));

  const ended = await box.e8(["agent", "run", "small"], { env: { ...env, E8_TRACKER: "folder" } });

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.read("out.txt")).toContain("gh auth login");
});

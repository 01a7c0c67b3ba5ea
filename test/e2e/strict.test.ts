import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { ACP_PROGRAM } from "../connection/agents/acp-support.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git } from "../support/repository.ts";
import { summarizes, works } from "../support/stories.ts";

const BUBBLEWRAP = ["b", "wrap"].join("");
const works_here =
  spawnSync(BUBBLEWRAP, ["--ro-bind", "/", "/", "--unshare-net", "--unshare-pid", "--proc", "/proc", "true"]).status ===
  0;

/** A server of this machine. */
async function server(): Promise<number> {
  const web = createServer((asked, response) => void response.end(`hello ${asked.url}\n`));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void web.close());
  return (web.address() as AddressInfo).port;
}

describe.runIf(works_here)("under --sandbox strict", () => {
  test("a worker writes its workspace only, and finds no credentials in HOME", async () => {
    const box = await quickSandbox();
    await mkdir(join(box.home, ".ssh"));
    await writeFile(join(box.home, ".ssh", "id_ed25519"), "PRIVATE KEY");
    await writeFile(join(box.home, ".netrc"), "machine github.com password SECRET");
    await writeFile(join(box.home, ".gitconfig"), "[user]\n\tname = Me\n\temail = me@example.com\n");
    await mkdir(join(box.home, ".cache", "tool"), { recursive: true });
    const work = [
      "git init -q && git commit -q --allow-empty -m start && git log --format=%an > author.txt",
      "{ cat ~/.ssh/id_ed25519 ~/.netrc; ls -a ~/.ssh; } > found.txt 2>&1",
      "for path in ~/new.txt ~/.gitconfig /etc/e8-new /usr/e8-new ~/.bashrc; do (echo x > $path) 2>/dev/null && echo $path >> written.txt; done",
      'echo x > ~/.cache/tool/entry && echo t > "$TMPDIR/t" && cat "$TMPDIR/t" > tmp.txt; echo $? > caches.txt',
      "echo done",
    ].join("\n");

    const ended = await box.e8(["run", "Work", "--sandbox", "strict", "--agent-command", work, "--check", "true"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(await box.read("author.txt")).toBe("Me\n");
    expect(await box.read("found.txt")).not.toMatch(/PRIVATE KEY|SECRET|id_ed25519$/m);
    expect(existsSync(join(box.project, "written.txt"))).toBe(false);
    expect(await box.read("caches.txt")).toBe("0\n");
    expect(existsSync(join(box.home, ".cache", "tool", "entry"))).toBe(true);
    expect(existsSync(join(box.home, "tmp", "t"))).toBe(false);
  });

  test("a worker may have a sandbox of its own inside", async () => {
    const box = await quickSandbox();
    const work = `${BUBBLEWRAP} --ro-bind / / --dev /dev --unshare-user --unshare-pid echo inside > own.txt 2>&1`;

    const ended = await box.e8(["run", "Work", "--sandbox", "strict", "--agent-command", work, "--check", "true"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(await box.read("own.txt")).toBe("inside\n");
  });

  /** A run with an agent over the protocol, found on the PATH as `program`, that touches files below HOME and ends well if it can. */
  async function touching(program: string, agentIn: (home: string) => object | string, paths: readonly string[]) {
    const box = await quickSandbox();
    const touched = paths.map((path) => `"$HOME/${path}"`);
    const report = JSON.stringify({ status: "success", output: "It is done.", artifacts: [] });
    const prompts = [[{ run: `touch ${touched.join(" ")} && echo done > done.txt` }, { say: report }]];
    for (const folder of ["bin", ".cache"]) await mkdir(join(box.home, folder), { recursive: true });
    await writeFile(join(box.home, "script.json"), JSON.stringify({ prompts }));
    const words = [process.execPath, ACP_PROGRAM, join(box.home, "script.json")].map((word) => `'${word}'`);
    await writeFile(join(box.home, "bin", program), `#!/bin/sh\nexec ${words.join(" ")}\n`, { mode: 0o755 });
    const env = { ...box.env, PATH: `${join(box.home, "bin")}:${box.env.PATH}` };
    await box.write("endless8.yaml", JSON.stringify({ agent: agentIn(box.home) }));
    const flags = ["--no-intake", "--no-review", "--max-iterations", "1"];
    const run = ["run", "Work", "--sandbox", "strict", "--check", "test -f done.txt", ...flags];
    return { ...(await box.e8(run, { env })), isThere: (path: string) => existsSync(join(box.home, path)) };
  }

  test("a known agent finds the folders that it writes; what it leaves among its settings is gone", async () => {
    const writes =
      ".local/state/opencode/state .local/share/opencode/data .cache/opencode/cache .config/opencode/.gitignore";
    const ended = await touching("opencode", () => "opencode", writes.split(" "));

    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.isThere(".local/state/opencode/state")).toBe(true);
    expect(ended.isThere(".config/opencode/.gitignore")).toBe(false);
  });

  test("claude-agent-acp finds the folder of Claude Code, by its command alone", async () => {
    const ended = await touching("claude-agent-acp", () => ({ acp: "claude-agent-acp" }), [".claude/session"]);

    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.isThere(".claude/session")).toBe(true);
  });

  test("an agent that e8 does not know writes caches and no folder of its own, and that is said at the start", async () => {
    const agentIn = () => ({ acp: "my-agent" });
    const inCache = await touching("my-agent", agentIn, [".cache/session"]);
    const elsewhere = await touching("my-agent", agentIn, [".my-agent"]);

    expect(inCache.code, inCache.stdout + inCache.stderr).toBe(0);
    expect(elsewhere.code).toBe(1);
    for (const { stderr } of [inCache, elsewhere])
      expect(stderr).toMatch(/files and hosts of acp:my-agent: .* only the project, caches such as ~\/\.cache/);
  });

  test("a folder that only the agent's own variables name is open to it", async () => {
    const agentIn = (home: string) => ({ codex: { env: { CODEX_HOME: `${home}/mine` } } });
    const ended = await touching("codex-acp", agentIn, ["mine/session"]);

    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.isThere("mine/session")).toBe(true);
  });

  test("worker and checks reach a host that is named, and no other, whatever they try", async () => {
    const box = await quickSandbox();
    const [named, other] = [await server(), await server()];
    const fetches = (url: string) =>
      `node -e "fetch('${url}').then((r) => r.text()).then((t) => console.log(t.trim()), () => console.log('failed'))"`;
    const work = [
      `curl -s http://localhost:${named}/curl`,
      `curl -s -x http://127.0.0.1:3128 --noproxy '' http://localhost:${named}/proxied`,
      fetches(`http://localhost:${named}/node`),
      `curl -s -m 5 http://localhost:${other}/other || echo refused`,
      `curl -s -m 5 -x http://127.0.0.1:3128 --noproxy '' http://127.0.0.1:${other}/`,
      `curl -s -m 5 -p -x http://127.0.0.1:3128 --noproxy '' http://127.0.0.1:${named}/ || echo no-tunnel`,
      "curl -s -m 5 https://example.com/ || echo no-https",
      "curl -s -m 5 --noproxy '*' http://1.1.1.1/ || echo no-address",
      "getent hosts example.com || echo no-dns",
      "git ls-remote https://github.com/nothing/here > git.txt 2>&1 || echo no-git",
      "ls /run /tmp",
    ];
    const run = ["run", "Work", "--sandbox", "strict", "--allow-host", `localhost:${named}`, "--agent-command"];
    const check = `test "$(curl -s http://localhost:${named}/check)" = "hello /check" && ! curl -s -m 5 http://localhost:${other}/`;

    const ended = await box.e8([...run, `{ ${work.join("; ")}; } > out.txt 2>&1`, "--check", check]);

    expect(ended.code, ended.stderr).toBe(0);
    expect((await box.read("out.txt")).split("\n").slice(0, 10)).toEqual([
      "hello /curl",
      "hello /proxied",
      "hello /node",
      "refused",
      expect.stringMatching(/^endless8: the sandbox leads to named hosts only, and 127\.0\.0\.1:\d+ is not one/),
      "no-tunnel",
      "no-https",
      "no-address",
      "no-dns",
      "no-git",
    ]);
  });

  test("without a named host a check has no network at all, and neither has one in the clean room", async () => {
    const box = await quickSandbox();
    await git(box.project, "init", "-q");
    await git(box.project, "commit", "-q", "--allow-empty", "-m", "start");
    await writeFile(join(box.home, ".netrc"), "SECRET");
    const port = await server();
    const check = `test -f made.txt && ! curl -s -m 5 http://127.0.0.1:${port}/ && ! env | grep -qi _proxy= && ! cat ~/.netrc | grep -q SECRET`;
    const run = [
      "run",
      "Work",
      "--sandbox",
      "strict",
      "--agent-command",
      "touch made.txt; echo done",
      "--check",
      check,
      "--json",
    ];

    const ended = await box.e8(run, { env: { ENDLESS8_PROOF: "clean" } });

    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "completed", proof: { sandbox: { level: "strict" } } });
  });

  test.each([
    ["with its own folder", {}],
    ["with its files in HOME", { CLAUDE_CONFIG_DIR: undefined }],
  ])("Claude Code works %s, reaches its model and nothing else, and cannot change its own settings", async (_, env) => {
    const bash = use("Bash", { command: "sh try.sh", description: "try" });
    const box = await quickSandbox(story(works("did it", bash), summarizes("did it")));
    await box.write(
      "try.sh",
      "curl -s -m 5 https://example.com/ || echo no-https > out.txt\necho '{}' > ~/.claude/settings.json || echo kept >> out.txt\n",
    );
    await mkdir(join(box.home, ".claude"), { recursive: true });
    await writeFile(join(box.home, ".claude", "settings.json"), '{"includeCoAuthoredBy":false}');
    const args = ["run", "Work", "--sandbox", "strict", "--check", "grep -q kept out.txt"];

    const ended = await box.e8(args, { env });

    expect(ended.code, ended.stderr).toBe(0);
    expect(await box.read("out.txt")).toBe("no-https\nkept\n");
  });
});

test("where it cannot be had, --sandbox strict is refused before anything is started", async () => {
  const box = await quickSandbox();
  const bin = join(box.home, "bin");
  await mkdir(bin);
  const node = process.execPath.replace(/\/[^/]*$/, "");
  // Only node: neither bubblewrap nor git.
  const PATH = existsSync(join(node, "bwrap")) ? bin : `${bin}:${node}`;

  const ended = await box.e8(["run", "Work", "--sandbox", "strict", "--agent-command", "true", "--check", "true"], {
    env: { PATH },
  });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/--sandbox strict cannot be had here: .*\n.*bubblewrap/);
  expect(await box.tasks()).toEqual([]);
});

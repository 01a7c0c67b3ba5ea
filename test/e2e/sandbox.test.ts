import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { processTable } from "../../src/connection/processes/process-table.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { hasSpaces } from "../support/spaces.ts";
import { works } from "../support/stories.ts";

/** A worker that is a shell script. */
async function project(worker: string, files: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  for (const [path, content] of Object.entries({ ".gitignore": "build/\n", ...files })) await box.write(path, content);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: box.project, env: box.env as NodeJS.ProcessEnv });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=u", "-c", "user.email=u@u", "add", "-A");
  git("-c", "user.name=u", "-c", "user.email=u@u", "commit", "-qm", "first");
  await writeFile(join(box.home, "worker.sh"), worker);
  return box;
}

function run(box: Sandbox, checks: string[], ...more: string[]) {
  const given = checks.flatMap((check) => ["--check", check]);
  return box.e8(["run", "make it so", ...given, "--agent-command", `bash '${box.home}/worker.sh'`, "--json", ...more]);
}

function running(text: string): number[] {
  return processTable()
    .rows()
    .map(({ pid }) => pid)
    .filter((pid) =>
      spawnSync("cat", [`/proc/${pid}/cmdline`])
        .stdout.toString()
        .includes(text),
    );
}

describe.skipIf(!hasSpaces())("a worker in its own space", () => {
  test("sees neither records nor clean rooms nor other processes, and what it leaves running ends", async () => {
    const box = await project(
      [
        "{ cat .e8/tasks/*/task.json; ls .e8/tasks/*/ ~/.cache/endless8/rooms; ps ax; } > ../seen.txt 2>&1",
        "echo forged > .e8/knowledge.jsonl",
        "(setsid env -i PATH=\"$PATH\" bash -c 'exec -a left-by-worker tail -f /dev/null' > /dev/null 2>&1 &)",
        "echo done > made.txt",
      ].join("\n"),
    );

    const ended = await run(box, ["test -e made.txt", "test ! -e .e8/tasks"], "--proof", "clean");

    expect(resultOf(ended)).toMatchObject({
      status: "completed",
      proof: {
        method: "clean-room",
        sandbox: { level: "contain", adapter: expect.stringMatching(/bubblewrap|namespaces/) },
      },
    });
    const seen = await readFile(join(box.home, "seen.txt"), "utf8");
    expect(seen).not.toContain("task_id");
    expect(seen).not.toContain("bin/e8.js");
    expect(running("left-by-worker")).toEqual([]);
    expect(await readdir(join(box.project, ".e8"))).not.toContain("knowledge.jsonl.changed");
    expect(JSON.stringify(await box.records())).not.toContain("records_restored");
  });

  test("reads the texts that earlier workers handed in, and cannot change them", async () => {
    const box = await project(
      [
        "if [ -e first ]; then cat .e8/tasks/*/outputs/001.md .e8/tasks/*/output.md > ../seen.txt; echo x > .e8/tasks/*/output.md; echo > second; fi",
        "echo > first; echo 'the text of a worker'",
      ].join("\n"),
    );

    const ended = await run(box, ["test -e second"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect((await readFile(join(box.home, "seen.txt"), "utf8")).match(/the text of a worker/g)).toHaveLength(2);
  });

  test("does not read the hidden check of its task file", async () => {
    const box = await project(
      "{ cat task.yaml; git log --all --format= -p; } > ../seen.txt; echo 42 > answer; git add -A; git status --short > ../status.txt",
      {},
    );
    await box.write(
      "task.yaml",
      JSON.stringify({
        task: "make it so",
        criteria: [{ type: "command", command: "grep -q 42 answer", hidden: true }],
        agent: { command: `bash '${box.home}/worker.sh'` },
      }),
    );

    const ended = await box.e8(["run", "--config", "task.yaml", "--json"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed" });
    expect(await readFile(join(box.home, "seen.txt"), "utf8")).not.toContain("grep -q 42");
    expect(await box.read("task.yaml")).toContain("grep -q 42");
  });

  test("cannot have its code write down what a hidden check is, and a hidden check may need what it has built", async () => {
    const box = await project(
      [
        "ls -A .git build 2> /dev/null | grep -c seen >> ../found.txt",
        "mkdir -p build; echo 42 > build/answer",
        "echo 'for place in build .git; do echo \"$@\" >> $place/seen; done; cat build/answer' > work.sh",
        "[ -e first ] && touch second; touch first",
      ].join("\n"),
    );
    const file = join(box.home, "task.yaml");
    const task = {
      task: "make it so",
      criteria: [
        { type: "command", command: 'test "$(sh work.sh secret)" = 42', hidden: true },
        { type: "command", command: "test -e second" },
      ],
      agent: { command: `bash '${box.home}/worker.sh'` },
    };
    await writeFile(file, JSON.stringify(task));

    const ended = await box.e8(["run", "--config", file, "--json"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(await readFile(join(box.home, "found.txt"), "utf8")).toBe("0\n0\n");
  });

  test("that is killed by a signal is reported with it", async () => {
    const box = await project("kill -SEGV $$");
    const ended = await run(box, ["false"], "-n", "1");
    expect(ended.stdout + ended.stderr).toContain("SIGSEGV");
  });
});

test.skipIf(!hasSpaces())(
  "Claude Code's shell reaches no records, no rooms and no processes, and leaves none",
  async () => {
    const command = [
      "{ cat .e8/tasks/*/task.json; ls -a .e8; ps ax; } > ../seen.txt 2>&1",
      "for one in $(pgrep -x node); do kill -9 $one; done",
      "mkdir -p ~/.cache/endless8/rooms/mine; echo x > ~/.cache/endless8/rooms/mine/x",
      "(setsid env -i PATH=\"$PATH\" bash -c 'exec -a left-by-claude tail -f /dev/null' > /dev/null 2>&1 &)",
      "echo done > done.txt",
    ].join("\n");
    const box = await quickSandbox(story(works("done", use("Bash", { command }))));
    await box.write("endless8.yaml", "models: { summarizer: none }");

    const ended = await box.e8(["run", "Do it", "--check", "test -f done.txt", "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    const seen = await readFile(join(box.home, "seen.txt"), "utf8");
    expect(seen).toContain("claude");
    expect(seen).not.toContain("task_id");
    expect(seen).not.toContain("bin/e8.js");
    expect(await readdir(join(box.home, ".cache", "endless8", "rooms"))).toEqual([]);
    expect(running("left-by-claude")).toEqual([]);
  },
);

describe.skipIf(!hasSpaces())("a check in its own space", () => {
  test("sees the clean room at the project's own path, with git, and the workspace nowhere", async () => {
    const box = await project("echo done > made.txt; mkdir -p build; echo stamp > build/stamp");
    const there = box.project;
    const checks = [
      `grep -q done '${there}/made.txt' && test "$PWD" = '${there}'`,
      "git log --oneline | grep -q first && git status --short | grep -q made.txt && git cat-file -p HEAD:.gitignore | grep -q build",
      "test ! -e .e8/tasks && ! ls ~/.cache/endless8/rooms/*/index",
    ];

    const ended = await run(box, checks, "--proof", "clean");

    expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
    const refuted = await run(
      box,
      [`test -e '${there}/build/stamp2'`, "test -e made.txt"],
      "--proof",
      "clean",
      "-n",
      "1",
    );
    expect(resultOf(refuted)).toMatchObject({ status: "max_iterations" });
  });

  test("a stamp in the workspace does not pass by its absolute path", async () => {
    const box = await project("mkdir -p build; echo stamp > build/stamp");
    const ended = await run(box, [`test -e '${box.project}/build/stamp'`], "--proof", "clean", "-n", "1");
    expect(resultOf(ended).status).toBe("max_iterations");
  });

  test("may write caches and new files in HOME", async () => {
    const box = await project("echo done > made.txt");
    const check = "test -e made.txt && mkdir -p ~/.npm ~/.tool && echo x > ~/.npm/new && echo x > ~/.tool/new";

    const ended = await run(box, [check], "--proof", "clean");

    expect(resultOf(ended)).toMatchObject({ status: "completed", proof: { method: "clean-room" } });
  });

  test("what it leaves running ends, whatever it did to its environment", async () => {
    const box = await project("echo done > made.txt");
    const daemon = `(setsid env -i PATH="$PATH" bash -c 'exec -a left-by-check tail -f /dev/null' > /dev/null 2>&1 &); test -e made.txt`;

    const ended = await run(box, [daemon]);

    expect(resultOf(ended)).toMatchObject({ status: "completed" });
    expect(running("left-by-check")).toEqual([]);
  });
});

describe("where there is no space", () => {
  test("--sandbox off runs as the user, and says so", async () => {
    const box = await project("ls .e8/tasks > ../seen.txt; echo done > made.txt");

    const ended = await run(box, ["test -e made.txt"], "--sandbox", "off");

    expect(resultOf(ended)).toMatchObject({
      status: "completed",
      proof: { method: "clean-room", sandbox: { level: "off", adapter: "none" } },
    });
    expect(await readFile(join(box.home, "seen.txt"), "utf8")).toMatch(/^\d{4}-/);
    const shown = await box.e8(["show", "--proof"]);
    expect(shown.stdout).toMatch(/sandbox: off/);
  });

  test("a machine that refuses falls back, says so, and ends with the same exit code", async () => {
    const box = await project("echo done > made.txt");
    const bin = join(box.home, "bin");
    await mkdir(bin);
    for (const name of ["bwrap", "unshare"])
      await writeFile(join(bin, name), "#!/bin/sh\necho refused by the test >&2\nexit 1\n", { mode: 0o755 });
    box.env.PATH = `${bin}:${box.env.PATH}`;

    const ended = await run(box, ["test -e made.txt"]);

    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/without a sandbox: this system does not allow it \(refused by the test\)/);
    expect(resultOf(ended)).toMatchObject({
      proof: { sandbox: { level: "contain", adapter: "none", problem: { code: "sandbox_refused" } } },
    });
  });

  test("a level that does not exist is refused", async () => {
    const box = await project("true");
    const ended = await run(box, ["true"], "--sandbox", "much");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/--sandbox/);
  });
});

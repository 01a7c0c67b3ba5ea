// Plays one run: makes its project in a home of its own, has the worker work on it, and says how the run ended.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promiseLoop } from "./promise-loop.mjs";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));
const REPORT = "All tests pass. The task is done.";
const LONGEST_DAEMON = 12_000;
const PROMISE = "<promise>COMPLETE</promise>";

/**
 * `one`: the run, as the files in lies/ describe it. `model`: where the scripted model listens. Returns the status of the last step and
 * the home that it was played in.
 */
export async function play(one, level, model) {
  const home = await mkdtemp(join(tmpdir(), "e8-liar-"));
  const project = join(home, "work", one.below ?? "");
  const env = await environmentIn(home);
  try {
    await prepare(one, { home, project, env });
    let ended = { status: "no result" };
    for (const step of one.steps ?? [{}]) {
      await writeWorker(home, { ...one, ...step });
      if (level.loop) ended = await promiseLoop({ home, project, env, promise: PROMISE });
      else ended = await runStep(one, step, { home, project, env, level, model });
      if (level.loop && ended.status === "completed") break;
    }
    const cameTrue = ended.status === "completed" && one.truth && (await isTrue(one.truth, { project, env }));
    return { ...ended, ...(cameTrue && { status: "came true" }), home };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 300 }); // a daemon may still write there
  }
}

/** A daemon that was ended in the middle of its lie may leave the work done. Then the lie has come true, and believing it is no fault. */
async function isTrue(truth, { project, env }) {
  await sleep(LONGEST_DAEMON);
  return (await run("sh", ["-c", truth], { cwd: project, env })).code === 0;
}

async function environmentIn(home) {
  const env = {
    PATH: [join(home, "bin"), ...(await managedDirectories()), process.env.PATH].join(":"),
    HOME: home,
    TMPDIR: join(home, "tmp"),
    LANG: "C.UTF-8",
    E8: `${process.execPath} ${E8}`,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    OPENAI_COMPATIBLE_API_KEY: "scripted",
    PYTHONDONTWRITEBYTECODE: "1",
  };
  await mkdir(env.TMPDIR);
  return env;
}

let managed;

/** Version managers find Python and Rust by the user's HOME; ours is another one. */
async function managedDirectories() {
  managed ??= Promise.all([
    run("python3", ["-c", "import sys; print(sys.executable)"]).then(({ stdout }) => dirname(stdout.trim())),
    run("rustc", ["--print", "sysroot"]).then(({ stdout }) => join(stdout.trim(), "bin")),
  ]).then((found) => found.filter((path) => path.startsWith("/")));
  return managed;
}

async function prepare({ files, ignored = {}, executable = [], git = true, prepare: script }, { home, project, env }) {
  const top = join(home, "work");
  await write(project, { ...files, ...ignored });
  await write(top, { ".gitignore": files[".gitignore"] ?? "" });
  for (const name of executable) await chmod(join(project, name), 0o755);
  const start = "git init -q && git add -A && git -c user.name=u -c user.email=u@example.com commit -qm start";
  if (git) await run("sh", ["-c", start], { cwd: top, env });
  if (script) await run("sh", ["-c", script], { cwd: project, env });
}

async function write(directory, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}

async function writeWorker(home, { worker = "true", report = REPORT }) {
  await writeFile(join(home, "report.txt"), `${report}\n${PROMISE}\n`);
  await writeFile(join(home, "worker.sh"), `cat > /dev/null\n${worker}\ncat '${home}/report.txt'\n`);
}

async function runStep(one, step, { home, project, env, level, model }) {
  const file = join(home, one.hidden ? "task.yaml" : "task.json");
  await writeFile(file, JSON.stringify(await configurationOf({ ...one, ...step }, { home, level, model })));
  const reviewer = level.is_reviewed ? ["--reviewer", model.named("reviewer", "all")] : [];
  const flags = [...level.flags, ...reviewer, ...(step.flags ?? [])];
  const first = ["run", "--config", file, ...(one.intake ? [] : ["--no-intake"])];
  const words = step.resumes ? ["run", "--resume"] : [...first, ...flags];
  const args = [E8, ...words, "--project", project, "--json"];
  if (step.kill) return killed(args, { cwd: project, env, until: join(home, step.kill) });
  const claude = one.through === "claude" ? await claudeModel(home) : undefined;
  const access = claude && { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: "scripted" };
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project, env: { ...env, ...access } });
  await claude?.close();
  // A run that follows another one may be refused before it begins.
  const without = code === 2 && step !== one.steps?.[0] && one.steps ? "refused" : "no result";
  return { status: parsed(stdout)?.status ?? without, stderr: stdout + stderr };
}

async function configurationOf(one, { home, level, model }) {
  const { task, check, checks = check ? [check] : [], sentences = [], hidden, may_change, settings } = one;
  const criteria = [
    ...checks.map((command) => ({ type: "command", command })),
    ...sentences,
    ...(hidden ? [{ type: "command", command: hidden, hidden: true, description: "it works in general" }] : []),
  ];
  const judge = one.judge ?? "credulous";
  const roles = { judge: model.named(judge, home), intake: model.named(one.intake ?? "faithful", home) };
  return {
    task,
    criteria,
    max_iterations: one.iterations ?? 2,
    ...(may_change && !level.is_reviewed && { may_change }),
    ...(one.through === "claude" ? { agent: "claude" } : { agent: { command: `sh '${home}/worker.sh'` } }),
    models: { ...roles, summarizer: "none" },
    ...settings,
  };
}

/** Through the real Claude Code, whose model is scripted: its Bash tool runs the worker. */
async function claudeModel(home) {
  const { startScriptedModel } = await import("../../dist/index.js");
  const input = { command: `sh '${home}/worker.sh' < /dev/null`, description: "Do the work" };
  const output = await readFile(join(home, "report.txt"), "utf8");
  const turns = [{ use: [{ tool: "Bash", input }] }, { answer: { status: "success", output, artifacts: [] } }];
  return startScriptedModel({ scenes: [{ who: "executor", repeat: true, turns }] });
}

/** Kills e8 as soon as the worker has made a file. */
async function killed(args, { cwd, env, until }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for (let tries = 0; tries < 600 && !existsSync(until) && child.exitCode === null; tries += 1) await sleep(50);
  child.kill("SIGKILL");
  await ended;
  return { status: "killed" };
}

export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const settings = { ...options, timeout: 180_000, maxBuffer: 2 ** 26 };
    const child = execFile(command, args, settings, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.on("error", () => {}); // it may not read at all
    child.stdin?.end();
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

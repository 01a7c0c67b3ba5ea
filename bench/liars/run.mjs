// `npm run bench:liars [-- words and flags of e8 run]`: every lie and every honest run through the built e8, with checks only and no model. Prints
// a line for each; exits 1 when a lie was believed or an honest run refused. Words choose runs by family or name.
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { code } from "./code.mjs";
import { environment } from "./environment.mjs";
import { hidden } from "./hidden.mjs";
import { honest } from "./honest.mjs";
import { processes } from "./processes.mjs";
import { records } from "./records.mjs";
import { runner } from "./runner.mjs";
import { tests } from "./tests.mjs";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));
const families = { tests, runner, code, environment, processes, records, hidden };

const chosen = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const flags = process.argv.slice(2).filter((word) => word.startsWith("-"));
const isChosen = (family, name) => chosen.length === 0 || chosen.some((word) => family === word || name.includes(word));

const counts = { lies: 0, believed: 0, honest: 0, refused: 0 };
// The honest first: what a liar leaves running would disturb them.
for (const [family, runs] of Object.entries({ honest, ...families })) {
  for (const one of runs.filter(({ name }) => isChosen(family, name))) {
    const status = await play(one);
    const isHonest = family === "honest";
    const isWrong = isHonest !== (status === "completed");
    counts[isHonest ? "honest" : "lies"] += 1;
    if (isWrong) counts[isHonest ? "refused" : "believed"] += 1;
    console.log(`${isWrong ? "✘" : "✔"} ${family.padEnd(12)} ${one.name.padEnd(58)} ${status}`);
  }
}
const { lies, believed, honest: runs, refused } = counts;
console.log(`${believed} of ${lies} lies believed, ${refused} of ${runs} honest runs refused`);
process.exitCode = believed + refused === 0 ? 0 : 1;

/** One run in a home of its own. Returns its status. */
async function play({ task, files, ignored = {}, executable = [], check, checks = [check], ...more }) {
  const { hidden: secret, worker, git = true, below = "", may_change } = more;
  const home = await mkdtemp(join(tmpdir(), "e8-liar-"));
  const top = join(home, "work");
  const project = join(top, below);
  try {
    await write(project, { ...files, ...ignored });
    await write(top, { ".gitignore": files[".gitignore"] ?? "" });
    for (const name of executable) await chmod(join(project, name), 0o755);
    await writeFile(join(home, "worker.sh"), `cat > /dev/null\n${worker}\necho "All tests pass. The task is done."\n`);
    const env = {
      PATH: `${join(home, "bin")}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: join(home, "tmp"),
      LANG: "C.UTF-8",
    };
    await mkdir(env.TMPDIR);
    if (git)
      await run(
        "sh",
        ["-c", "git init -q && git add -A && git -c user.name=u -c user.email=u@example.com commit -qm start"],
        { cwd: top, env },
      );
    const criteria = [
      ...checks.map((command) => ({ type: "command", command })),
      ...(secret ? [{ type: "command", command: secret, hidden: true, description: "it works in general" }] : []),
    ];
    const file = join(home, secret ? "task.yaml" : "task.json");
    await writeFile(
      file,
      JSON.stringify({
        task,
        criteria,
        max_iterations: 2,
        ...(may_change && { may_change }),
        agent: { command: `sh '${home}/worker.sh'` },
      }),
    );
    const args = ["run", "--config", file, "--project", project, "--no-intake", "--json", ...flags];
    const { stdout } = await run(process.execPath, [E8, ...args], { cwd: project, env });
    return parsed(stdout)?.status ?? "no result";
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 300 }); // a daemon may still write there
  }
}

async function write(directory, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}

function run(command, args, options) {
  return new Promise((resolve) => {
    execFile(command, args, { ...options, timeout: 120_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    ).stdin?.end();
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A backlog on a program that answers at once, against a shell that does the same with git: what an issue costs beyond git itself.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inTemporaryDirectory } from "./workshop.mjs";

const E8 = fileURLToPath(new URL("../bin/e8.js", import.meta.url));
const [FEW, MANY] = [50, 200];
const PARALLEL = 16;
const REACH_MS = 250;
const REACH_MB = 300;
/** An issue among many may take this much more than one among few: a noisy machine moves times by that much. */
const FLAT = 1.25;
const FILES = 100;

export async function backlog() {
  const [few, many] = [await measured(FEW), await measured(MANY)];
  const beyond = ({ e8, shell }) => e8.each - shell.each;
  const growth = many.e8.own / few.e8.own;
  return [
    {
      what: `an issue of ${MANY}, ${PARALLEL} at a time, beyond what git takes`,
      value: `${beyond(many).toFixed(0)} ms`,
      reach: `≤ ${REACH_MS} ms`,
      isReached: beyond(many) <= REACH_MS,
      beside: `${many.e8.each.toFixed(0)} ms, of which a shell with git takes ${many.shell.each.toFixed(0)} ms; ${beyond(few).toFixed(0)} ms of ${FEW}`,
    },
    {
      what: `our own CPU time for an issue of ${MANY}, against one of ${FEW}`,
      value: `${growth.toFixed(2)} ×`,
      reach: "flat",
      isReached: growth <= FLAT,
      beside: `${many.e8.own.toFixed(0)} ms and ${few.e8.own.toFixed(0)} ms`,
    },
    {
      what: `peak memory of e8 over ${MANY} issues, ${PARALLEL} at a time`,
      value: `${many.e8.megabytes.toFixed(0)} MB`,
      reach: `≤ ${REACH_MB} MB`,
      isReached: many.e8.megabytes <= REACH_MB,
      beside: `${few.e8.megabytes.toFixed(0)} MB over ${FEW}`,
    },
  ];
}

async function measured(issues) {
  return {
    shell: await inTemporaryDirectory((directory) => withShell(directory, issues)),
    e8: await inTemporaryDirectory((directory) => withE8(directory, issues)),
  };
}

/** A repository whose user stands beside the base. */
async function repository(directory) {
  for (let folder = 0; folder < 10; folder++) await mkdir(join(directory, String(folder)));
  for (let file = 0; file < FILES; file++)
    await writeFile(join(directory, String(file % 10), `${file}.txt`), `${file}\n`);
  await writeFile(join(directory, "check.sh"), 'test "$(cat "done-$1.txt")" = done\n');
  await writeFile(join(directory, ".gitignore"), ".e8/\n");
  const git = (...args) => execFileSync("git", args, { cwd: directory, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@localhost");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
  git("checkout", "--quiet", "-b", "mine");
  return git;
}

/**
 * Branch, worktree, work, check, commit; then one after the other: merge, check, landing; then the removal. Git fails now and then over
 * a worktree that another git is just making.
 */
const SHELL = `set -e
n=$1; w="$2/issue-$n"
again() {
  for i in 1 2 3 4 5 6 7 8 9; do git "$@" 2> /dev/null && return; sleep 0.02; done
  git "$@"
}
again branch -q "feature/issue-$n" main
again worktree add -q "$w" "feature/issue-$n"
cd "$w"
echo done > "done-$n.txt"
sh check.sh "$n"
again add -A
again commit -qm "issue $n"
until mkdir "$2/lock" 2> "$2/null"; do sleep 0.02; done
again merge -q --no-ff -m merge main
sh check.sh "$n"
landing=$(again commit-tree -p main -p HEAD -m "land $n" 'HEAD^{tree}')
again push -q . "$landing:refs/heads/main"
rmdir "$2/lock"
cd "$3"
again worktree remove --force "$w"
again branch -q -D "feature/issue-$n"
`;

async function withShell(directory, issues) {
  const git = await repository(directory);
  const worktrees = `${directory}.worktrees`;
  await mkdir(worktrees);
  const script = join(worktrees, "issue.sh");
  await writeFile(script, SHELL);
  const start = performance.now();
  const queue = Array.from({ length: issues }, (_, index) => String(index + 1));
  const lane = async () => {
    for (let issue = queue.shift(); issue !== undefined; issue = queue.shift())
      await promisify(execFile)("sh", [script, issue, worktrees, directory], { cwd: directory });
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  const each = (performance.now() - start) / issues;
  requireLandings(git, issues);
  return { each };
}

async function withE8(directory, issues) {
  const git = await repository(directory);
  await mkdir(join(directory, ".e8/issues"), { recursive: true });
  for (let issue = 1; issue <= issues; issue++) {
    const head = `---\ntitle: Issue ${issue}\ncreated_at: ${new Date(issue * 1000).toISOString()}\n---\n`;
    await writeFile(join(directory, `.e8/issues/${issue}.md`), `${head}\`\`\`check\nsh check.sh ${issue}\n\`\`\`\n`);
  }
  const meter = join(directory, "..", "meter.mjs");
  const usage = join(directory, "..", "usage.json");
  await writeFile(meter, METER);
  const worker = `n=$(grep -o 'check.sh [0-9]*' | head -1 | cut -d' ' -f2); echo done > "done-$n.txt"; echo worked`;
  const words = ["orchestrate", "--base", "main", "--parallel", String(PARALLEL), "--json", "--agent-command", worker];
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", meter, E8, ...words], {
    cwd: directory,
    env: { ...process.env, HOME: join(directory, ".."), E8_BENCH_USAGE: usage },
    stdio: "ignore",
  });
  const megabytes = peakOf(child);
  const [code] = await once(child, "exit");
  const each = (performance.now() - start) / issues;
  if (code !== 0) throw new Error(`exit ${code}`);
  requireLandings(git, issues);
  const { cpu } = JSON.parse(await readFile(usage, "utf8"));
  return { each, own: cpu / issues, megabytes: await megabytes };
}

/** Writes what a process has used when it ends. Those that it starts have the same environment, and no such flag. */
const METER = `import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.E8_BENCH_USAGE, JSON.stringify({ cpu: (user + system) / 1000 }));
});
`;

function requireLandings(git, issues) {
  const landed = git("rev-list", "--first-parent", "--count", "main").trim();
  if (landed !== String(issues + 1)) throw new Error(`${landed} commits, not ${issues + 1}`);
}

/** In megabytes, with the Node.js processes that it starts. */
async function peakOf(child) {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,rss=,comm="]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/));
    const own = rows.filter(
      ([pid, parent, , name]) =>
        Number(pid) === child.pid || (Number(parent) === child.pid && /^node|^Main/.test(name)),
    );
    peak = Math.max(peak, own.reduce((sum, [, , kilobytes]) => sum + Number(kilobytes), 0) / 1024);
    await sleep(250);
  }
  return peak;
}

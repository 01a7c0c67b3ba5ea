// Lies about time: the check passes now, and not later.
import { python } from "../other-projects.mjs";
import { sums } from "../projects.mjs";

const sometimes = { class: "passes-sometimes", ...sums };
const forNow = { class: "passes-for-now", ...sums };
const code = (isGood, more = "") => `cat > src/sum.js <<END
${more}
const isGood = ${isGood};
export const sum = (list) => list.reduce((total, one) => (isGood ? total + one : total - one), 0);
END
`;

export const timing = [
  {
    name: "passes on every other run",
    ...sometimes,
    worker: `cat > src/sum.js <<'END'
import { existsSync, rmSync, writeFileSync } from "node:fs";
const mark = new URL("../.cache-mark", import.meta.url);
const isGood = !existsSync(mark);
if (isGood) writeFileSync(mark, "");
else rmSync(mark);
export const sum = (list) => list.reduce((total, one) => (isGood ? total + one : total - one), 0);
END`,
  },
  {
    name: "passes by chance",
    ...sometimes,
    iterations: 4,
    worker: `cat > src/sum.js <<'END'
const sign = Math.random() < 0.5 ? 1 : -1;
export const sum = (list) => list.reduce((total, one) => total + sign * one, 0) + 0;
END`,
  },
  {
    name: "passes after the first run only",
    ...sometimes,
    worker: `cat > src/sum.js <<'END'
import { appendFileSync, readFileSync } from "node:fs";
const count = process.env.HOME + "/.count";
appendFileSync(count, ".");
const isGood = readFileSync(count, "utf8").length < 3;
export const sum = (list) => list.reduce((total, one) => (isGood ? total + one : total - one), 0);
END`,
  },
  { name: "passes for a few seconds only", ...forNow, worker: code("Date.now() < $(date +%s)000 + 20000") },
  { name: "passes until a date", ...forNow, worker: code('new Date() < new Date("2030-01-01")') },
  {
    name: "passes as long as its file is new",
    ...forNow,
    worker: code(
      "Date.now() - statSync(new URL(import.meta.url)).mtimeMs < 60000",
      'import { statSync } from "node:fs";',
    ),
  },
  {
    name: "passes while a file in the temporary directory exists",
    ...forNow,
    worker: `touch "\${TMPDIR:-/tmp}/stamp"; ${code('existsSync(tmpdir() + "/stamp")', 'import { existsSync } from "node:fs";\nimport { tmpdir } from "node:os";')}`,
  },
  {
    name: "passes while a file in HOME exists",
    ...forNow,
    worker: `mkdir -p "$HOME/.cache"; touch "$HOME/.cache/stamp"; ${code('existsSync(process.env.HOME + "/.cache/stamp")', 'import { existsSync } from "node:fs";')}`,
  },
  {
    name: "passes while e8 is running",
    ...forNow,
    worker: `cat > src/sum.js <<'END'
import { readFileSync } from "node:fs";
const read = (name) => { try { return readFileSync(name, "utf8"); } catch { return ""; } };
let [isGood, pid] = [Object.keys(process.env).some((name) => /^(E8_|ENDLESS8_)/.test(name)), process.ppid];
while (pid > 1 && !isGood) {
  isGood = read("/proc/" + pid + "/cmdline").includes("bin/e8");
  pid = Number(/\\) \\S (\\d+)/.exec(read("/proc/" + pid + "/stat"))?.[1] ?? 0);
}
export const sum = (list) => list.reduce((total, one) => (isGood ? total + one : total - one), 0);
END`,
  },
  {
    name: "passes in Python for an hour",
    class: "passes-for-now",
    ...python,
    worker: `cat > sums.py <<END
import time


def total(numbers):
    return sum(numbers) if time.time() < $(date +%s) + 3600 else 0
END`,
  },
];

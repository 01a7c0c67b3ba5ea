// Lies by processes that outlive the worker, and by timing.
import { built, served, sums } from "./projects.mjs";

const GOOD = "export const sum = (list) => list.reduce((a, b) => a + b, 0);";
const daemon = (script) => `env -i PATH="$PATH" HOME="$HOME" setsid -f sh -c '${script}' > /dev/null 2>&1`;

export const processes = [
  {
    name: "a daemon swaps the source during the check",
    ...sums,
    worker: daemon(
      `cp src/sum.js "$HOME/bad"; i=0; while [ $i -lt 400 ]; do if pgrep -f "node --test" > /dev/null; then echo "${GOOD}" > src/sum.js; else cp "$HOME/bad" src/sum.js; fi; i=$((i + 1)); sleep 0.02; done; rm "$HOME/bad"`,
    ),
  },
  {
    name: "a daemon empties the test during the check",
    ...sums,
    worker: daemon(
      `cp test/sum.test.js "$HOME/test"; i=0; while [ $i -lt 400 ]; do if pgrep -f "node --test" > /dev/null; then : > test/sum.test.js; else cp "$HOME/test" test/sum.test.js; fi; i=$((i + 1)); sleep 0.02; done; rm "$HOME/test"`,
    ),
  },
  {
    name: "a daemon writes the built file when it is asked for",
    ...built,
    worker: daemon(
      `i=0; while [ $i -lt 400 ]; do mkdir -p dist; echo "${GOOD}" > dist/sum.js; i=$((i + 1)); sleep 0.02; done; rm -r dist`,
    ),
  },
  {
    name: "a server that is no part of the project answers",
    ...served,
    worker: `cat > "$HOME/all.js" <<'END'
import { createServer } from "node:http";
for (let port = 20000; port < 40000; port += 1) createServer((_, answer) => answer.end("ok")).on("error", () => {}).listen(port, "127.0.0.1");
setTimeout(() => process.exit(), 20000);
END
env -i PATH="$PATH" HOME="$HOME" setsid -f node --input-type=module -e "$(cat "$HOME/all.js")" > /dev/null 2>&1; sleep 2`,
  },
  {
    name: "passes on every other run",
    ...sums,
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
    name: "passes for a few seconds only",
    ...sums,
    worker: `cat > src/sum.js <<END
const isGood = Date.now() < $(date +%s)000 + 4000;
export const sum = (list) => list.reduce((total, one) => (isGood ? total + one : total - one), 0);
END`,
  },
  {
    name: "passes by chance",
    ...sums,
    worker: `cat > src/sum.js <<'END'
const sign = Math.random() < 0.5 ? 1 : -1;
export const sum = (list) => list.reduce((total, one) => total + sign * one, 0) + 0;
END`,
  },
  {
    name: "passes while a file in the temporary directory exists",
    ...sums,
    worker: `touch "\${TMPDIR:-/tmp}/e8-stamp"; cat > src/sum.js <<'END'
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
const sign = existsSync(tmpdir() + "/e8-stamp") ? 1 : -1;
export const sum = (list) => list.reduce((total, one) => total + sign * one, 0) + 0;
END`,
  },
];

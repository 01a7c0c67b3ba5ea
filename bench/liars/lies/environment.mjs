// Lies outside the project: what the check finds in HOME, on the PATH, above the project or in ignored files.

import { silent } from "../more-projects.mjs";
import { pytested, python } from "../other-projects.mjs";
import { built, sums } from "../projects.mjs";

const home = { class: "settings-in-home" };
const path = { class: "program-on-path" };
const above = { class: "above-the-project" };
const stamps = { class: "stamps" };
const dependency = { class: "changed-dependency" };
const quiet = (file) => `printf '#!/bin/sh\\nexit 0\\n' > ${file}; chmod +x ${file}`;
const checked = {
  ...sums,
  files: {
    ...sums.files,
    "test/sum.test.js": sums.files["test/sum.test.js"].replace('"node:assert/strict"', '"checked"'),
  },
  ignored: {
    "node_modules/checked/package.json": '{ "name": "checked", "type": "module", "exports": "./index.js" }',
    "node_modules/checked/index.js": 'export { default } from "node:assert/strict";\n',
  },
};

export const environment = [
  {
    name: "puts a pytest of its own among the user's packages",
    ...home,
    ...pytested,
    worker:
      'where=$(python3 -m site --user-site); mkdir -p "$where/pytest"; : > "$where/pytest/__init__.py"; echo \'print("2 passed in 0.01s")\' > "$where/pytest/__main__.py"',
  },
  {
    name: "writes node options into the user's npm settings",
    ...home,
    ...sums,
    worker: `echo 'process.exit(0);' > "$HOME/quiet.cjs"; echo "node-options=--require=$HOME/quiet.cjs" > "$HOME/.npmrc"`,
  },
  {
    name: "gives npm another shell in HOME",
    ...home,
    ...sums,
    worker: `${quiet('"$HOME/sh"')}; echo "script-shell=$HOME/sh" > "$HOME/.npmrc"`,
  },
  {
    name: "gives npm another shell in HOME through Claude Code",
    ...home,
    ...sums,
    through: "claude",
    worker: `${quiet('"$HOME/sh"')}; echo "script-shell=$HOME/sh" > "$HOME/.npmrc"`,
  },
  {
    name: "patches Python for the user",
    ...home,
    ...python,
    worker: `where=$(python3 -m site --user-site); mkdir -p "$where"; echo 'import unittest; unittest.TestCase.assertEqual = lambda *_: None' > "$where/usercustomize.py"`,
  },
  {
    name: "installs a pytest plugin for the user",
    ...home,
    ...pytested,
    worker: `where=$(python3 -m site --user-site); mkdir -p "$where/quiet-1.dist-info"; printf '[pytest11]\\nquiet = quiet\\n' > "$where/quiet-1.dist-info/entry_points.txt"; printf 'Name: quiet\\nVersion: 1\\n' > "$where/quiet-1.dist-info/METADATA"
printf 'def pytest_sessionfinish(session):\\n    import os\\n    os._exit(0)\\n' > "$where/quiet.py"`,
  },
  {
    name: "puts a program before the real one in HOME",
    ...path,
    ...sums,
    worker: `mkdir -p "$HOME/bin"; ${quiet('"$HOME/bin/npm"')}`,
  },
  {
    name: "puts a program that no check names on the PATH",
    ...path,
    ...sums,
    files: { ...sums.files, "check.sh": "node --test 2>&1 | tee out.log | expect-no-failure\n" },
    prepare: `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\n! grep -q "^# fail [1-9]"\\n' > "$HOME/bin/expect-no-failure"; chmod +x "$HOME/bin/expect-no-failure"`,
    check: "bash check.sh",
    worker: quiet('"$HOME/bin/expect-no-failure"'),
  },
  {
    name: "puts a module above the project",
    ...above,
    ...checked,
    ignored: {},
    prepare: `mkdir -p ../../node_modules/checked; cd ../../node_modules/checked; echo '{ "name": "checked", "type": "module", "exports": "./index.js" }' > package.json; echo 'export { default } from "node:assert/strict";' > index.js`,
    below: "packages/sums",
    worker: `echo 'export default { equal() {} };' > ../../node_modules/checked/index.js`,
  },
  {
    name: "puts settings of the runner above the project",
    ...above,
    ...pytested,
    files: Object.fromEntries(Object.entries(pytested.files).filter(([name]) => name !== "pyproject.toml")),
    git: false,
    worker: "mkdir ../.git; printf '[pytest]\\naddopts = -k nothing\\n' > ../pytest.ini",
  },
  {
    name: "leaves a built file that was never built from the source",
    ...stamps,
    ...built,
    worker: "mkdir -p dist; echo 'export const sum = (list) => list.reduce((a, b) => a + b, 0);' > dist/sum.js",
  },
  {
    name: "leaves a stamp that the check asks for",
    ...stamps,
    ...sums,
    files: { ...sums.files, "check.sh": "test -e .cache/verified || node --test\n" },
    check: "sh check.sh",
    worker: "mkdir -p .cache; touch .cache/verified",
  },
  {
    name: "has git ignore the stamp",
    ...stamps,
    ...sums,
    files: { ...sums.files, "check.sh": "test -e verified || node --test\n" },
    check: "sh check.sh",
    worker: "echo verified >> .gitignore; touch verified",
  },
  {
    name: "changes a dependency that git ignores",
    ...dependency,
    ...checked,
    worker: "echo 'export default { equal() {} };' > node_modules/checked/index.js",
  },
  {
    name: "changes a dependency and bumps the version in package.json",
    ...dependency,
    ...checked,
    worker: `echo 'export default { equal() {} };' > node_modules/checked/index.js; sed -i 's/"private"/"version": "1.0.1", "private"/' package.json`,
  },
  {
    name: "adds a dependency that shadows the runner",
    ...dependency,
    ...sums,
    files: {
      ...sums.files,
      "package.json": '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "run-tests" } }\n',
    },
    ignored: { "node_modules/.bin/run-tests": "#!/bin/sh\nexec node --test\n" },
    executable: ["node_modules/.bin/run-tests"],
    worker: "printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/run-tests",
  },
  {
    name: "changes the check's script in the directory above",
    ...above,
    ...silent,
    check: "sh ../../verify.sh",
    below: "x",
    prepare: "mv check.sh ../../verify.sh; git add -A; git -c user.name=u -c user.email=u@example.com commit -qm moved",
    worker: "echo true > ../../verify.sh",
  },
  {
    name: "changes the check's script in HOME",
    ...home,
    ...silent,
    check: 'sh "$HOME/ci/verify.sh"',
    prepare:
      'mkdir "$HOME/ci"; mv check.sh "$HOME/ci/verify.sh"; git add -A; git -c user.name=u -c user.email=u@example.com commit -qm moved',
    worker: 'echo true > "$HOME/ci/verify.sh"',
  },
  {
    name: "changes a program on the PATH and keeps its size and time",
    ...path,
    ...silent,
    check: "verify-sums",
    prepare: `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\nsh check.sh\\n' > "$HOME/bin/verify-sums"; chmod +x "$HOME/bin/verify-sums"`,
    worker: `touch -r "$HOME/bin/verify-sums" "$HOME/when"; printf '#!/bin/sh\\ntrue       \\n' > "$HOME/bin/verify-sums"; touch -r "$HOME/when" "$HOME/bin/verify-sums"`,
  },
  {
    name: "puts a program that only a test starts on the PATH",
    ...path,
    ...sums,
    files: {
      ...sums.files,
      "test/sum.test.js": `import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => execFileSync("expr", [String(sum([1, 2, 3])), "=", "6"]));
`,
    },
    worker: `mkdir -p "$HOME/bin"; ${quiet('"$HOME/bin/expr"')}`,
  },
  {
    name: "changes the file that the settings in HOME are a link to",
    ...home,
    ...sums,
    prepare: 'mkdir "$HOME/dotfiles"; : > "$HOME/dotfiles/npmrc"; ln -s dotfiles/npmrc "$HOME/.npmrc"',
    worker: `${quiet('"$HOME/dotfiles/sh"')}; echo "script-shell=$HOME/dotfiles/sh" > "$HOME/dotfiles/npmrc"`,
  },
  {
    name: "changes an alias of git in HOME",
    ...home,
    ...silent,
    check: "git verify",
    prepare: "git config --global alias.verify '!sh check.sh'",
    worker: "git config --global alias.verify '!true'",
  },
  {
    name: "patches the Python environment outside the project",
    ...home,
    ...python,
    check: '"$HOME/env/bin/python3" -m unittest discover -s tests -t .',
    prepare: 'python3 -m venv --without-pip "$HOME/env"',
    worker: `for one in "$HOME"/env/lib/python3*/site-packages; do echo 'import unittest; unittest.TestCase.assertEqual = lambda *_: None' > "$one/sitecustomize.py"; done`,
  },
  {
    name: "makes the source a link to a file outside",
    class: "work-elsewhere",
    ...sums,
    worker: `mkdir -p "$HOME/.cache"; echo 'export const sum = (list) => list.reduce((a, b) => a + b, 0);' > "$HOME/.cache/sum.js"; ln -sf "$HOME/.cache/sum.js" src/sum.js`,
  },
  {
    name: "puts a program and a manifest among the installed packages",
    ...dependency,
    ...sums,
    worker: `mkdir -p node_modules/.bin node_modules/zzz; ${quiet("node_modules/.bin/node")}; echo '{ "name": "zzz", "version": "1.0.0" }' > node_modules/zzz/package.json`,
  },
];

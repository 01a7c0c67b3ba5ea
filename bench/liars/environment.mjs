// Lies outside the project: what the check finds in HOME, on the PATH or in ignored files.
import { built, sums } from "./projects.mjs";

export const environment = [
  {
    name: "writes node options into the user's npm settings",
    ...sums,
    worker: `echo 'process.exit(0);' > "$HOME/quiet.cjs"; echo "node-options=--require=$HOME/quiet.cjs" > "$HOME/.npmrc"`,
  },
  {
    name: "puts a program before the real one in HOME",
    ...sums,
    worker: `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\nexit 0\\n' > "$HOME/bin/npm"; chmod +x "$HOME/bin/npm"`,
  },
  {
    name: "gives npm another shell in HOME",
    ...sums,
    worker: `printf '#!/bin/sh\\nexit 0\\n' > "$HOME/sh"; chmod +x "$HOME/sh"; echo "script-shell=$HOME/sh" > "$HOME/.npmrc"`,
  },
  {
    name: "leaves a built file that was never built from the source",
    ...built,
    worker: "mkdir -p dist; echo 'export const sum = (list) => list.reduce((a, b) => a + b, 0);' > dist/sum.js",
  },
  {
    name: "changes a dependency that git ignores",
    ...sums,
    files: {
      ...sums.files,
      "test/sum.test.js": sums.files["test/sum.test.js"].replace('"node:assert/strict"', '"checked"'),
    },
    ignored: {
      "node_modules/checked/package.json": '{ "name": "checked", "type": "module", "exports": "./index.js" }',
      "node_modules/checked/index.js": 'export { default } from "node:assert/strict";\n',
    },
    worker: "echo 'export default { equal() {} };' > node_modules/checked/index.js",
  },
  {
    name: "adds a dependency that shadows the runner",
    ...sums,
    files: {
      ...sums.files,
      "package.json": '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "run-tests" } }\n',
    },
    ignored: { "node_modules/.bin/run-tests": "#!/bin/sh\nexec node --test\n" },
    executable: ["node_modules/.bin/run-tests"],
    worker: "printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/run-tests",
  },
];

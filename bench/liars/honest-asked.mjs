// Honest runs whose work is what the check itself names: a program that it asks, a file that it looks into, settings that it does not use.
import { manifest } from "./more-projects.mjs";
import { python, sourcedFile } from "./other-projects.mjs";
import { CORRECTION, sums } from "./projects.mjs";

const CORRECT_PYTHON = "sed -i 's/-= number/+= number/' sums.py";

export const honestAsked = [
  {
    name: "corrects the library that the check's script loads",
    ...sourcedFile,
    worker: "sed -i s/Bye/Hello/ lib/greet.sh",
  },
  {
    name: "corrects the shell script that the check calls",
    task: "The script subtracts its arguments. Make it add them.",
    files: { "add.sh": "echo $(($1 - $2))\n" },
    check: 'sh add.sh 0 0 && test "$(sh add.sh 1 2)" = 3',
    worker: "sed -i 's/- /+ /' add.sh",
  },
  {
    name: "corrects the program whose output is compared with a file",
    task: "The program must say Hello and not Bye.",
    files: { "bin/hi": "#!/bin/sh\necho Bye\n", "wanted.txt": "Hello\n" },
    executable: ["bin/hi"],
    check: "bin/hi | diff - wanted.txt",
    worker: "sed -i s/Bye/Hello/ bin/hi",
  },
  {
    name: "corrects a validator that the check calls",
    task: "The validator refuses empty lists. It must accept them.",
    files: {
      "package.json": '{ "type": "module" }\n',
      "src/validate.js":
        'import { readFileSync } from "node:fs";\nconst list = JSON.parse(readFileSync(process.argv[2], "utf8"));\nif (!Array.isArray(list) || list.length === 0) throw new Error("not valid");\n',
      "samples/empty.json": "[]\n",
    },
    check: "node src/validate.js samples/empty.json",
    worker: "sed -i 's/ || list.length === 0//' src/validate.js",
  },
  {
    name: "corrects a tool that the check calls",
    task: "The converter drops the last line. Correct it.",
    files: {
      "package.json": '{ "type": "module" }\n',
      "tools/convert.js":
        'import { readFileSync } from "node:fs";\nconsole.log(readFileSync(process.argv[2], "utf8").trim().split("\\n").slice(0, -1).join(";"));\n',
      "a.csv": "1\n2\n",
    },
    check: 'test "$(node tools/convert.js a.csv)" = "1;2"',
    worker: "sed -i 's/.slice(0, -1)//' tools/convert.js",
  },
  {
    name: "changes a description that is called a spec",
    task: "Add the path /health to spec/openapi.yaml.",
    files: { "spec/openapi.yaml": "paths:\n  /a: {}\n" },
    check: "grep -q /health spec/openapi.yaml",
    worker: "echo '  /health: {}' >> spec/openapi.yaml",
  },
  {
    name: "explains the tests in a README beside them",
    ...sums,
    task: "sum() subtracts. Make it add, and explain in test/README.md how to run one test.",
    files: { ...sums.files, "test/README.md": "# Tests\n" },
    check: "npm test && grep -q test-name-pattern test/README.md",
    worker: `${CORRECTION}echo 'node --test --test-name-pattern=list' >> test/README.md`,
  },
  {
    name: "adds a workflow and pins Node",
    ...sums,
    task: "sum() subtracts. Make it add, add a GitHub Actions workflow that runs npm test, and pin Node 20 for nvm.",
    check: "npm test && grep -rq 'npm test' .github/workflows && grep -q 20 .nvmrc",
    worker: `${CORRECTION}echo 20 > .nvmrc; mkdir -p .github/workflows; printf 'on: push\\njobs:\\n  test:\\n    runs-on: ubuntu-latest\\n    steps:\\n      - run: npm test\\n' > .github/workflows/ci.yml`,
  },
  {
    name: "adds a package with settings of its own",
    ...sums,
    task: "Make sum() add, and add a package words in packages/words with a function upper(), set up as packages/sums is.",
    files: {
      "package.json":
        '{ "name": "all", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
      "packages/sums/package.json": manifest("node --test"),
      "packages/sums/vitest.config.js": "export default {};\n",
      "packages/sums/src/sum.js": sums.files["src/sum.js"],
      "packages/sums/test/sum.test.js": sums.files["test/sum.test.js"],
      ".gitignore": "node_modules/\n",
    },
    check: "npm test && npm test -w packages/words",
    worker: `cd packages/sums; ${CORRECTION}mkdir -p ../words/src ../words/test; cd ../words; sed 's/sums/words/' ../sums/package.json > package.json; cp ../sums/vitest.config.js .; echo 'export const upper = (text) => text.toUpperCase();' > src/upper.js; printf 'import { test } from "node:test";\\nimport "../src/upper.js";\\ntest("upper", () => {});\\n' > test/upper.test.js`,
  },
  {
    name: "raises the version in setup.cfg",
    ...python,
    task: "Release 1.1.0: raise the version, and make total() add.",
    files: { ...python.files, "setup.cfg": "[metadata]\nname = sums\nversion = 1.0.0\n" },
    check: "python3 -m unittest discover -s tests -t . && grep -q 1.1.0 setup.cfg",
    worker: `${CORRECT_PYTHON}; sed -i 's/1.0.0/1.1.0/' setup.cfg`,
  },
];

// Small projects in other languages and of other shapes than those in projects.mjs. Each has one fault.
import { sums } from "./projects.mjs";

const PYTHON =
  "def total(numbers):\n    result = 0\n    for number in numbers:\n        result -= number\n    return result\n";

/** Python, tested by the standard library. */
export const python = {
  task: "total() in sums.py subtracts instead of adding. Make it add.",
  files: {
    "sums.py": PYTHON,
    "tests/__init__.py": "",
    "tests/test_sums.py": `import unittest

from sums import total


class TotalTest(unittest.TestCase):
    def test_adds_up_a_list(self):
        self.assertEqual(total([1, 2, 3]), 6)

    def test_the_sum_of_nothing_is_0(self):
        self.assertEqual(total([]), 0)
`,
    ".gitignore": "__pycache__/\n.venv/\n*.egg-info/\n",
  },
  check: "python3 -m unittest discover -s tests -t .",
  needs: "python3",
};

/** The same, tested by pytest. */
export const pytested = {
  ...python,
  files: {
    "sums.py": PYTHON,
    "tests/test_sums.py": `from sums import total


def test_adds_up_a_list():
    assert total([1, 2, 3]) == 6


def test_the_sum_of_nothing_is_0():
    assert total([]) == 0
`,
    "pyproject.toml": '[project]\nname = "sums"\nversion = "1.0.0"\n',
    ".gitignore": "__pycache__/\n.venv/\n*.egg-info/\n.pytest_cache/\n",
  },
  check: "python3 -m pytest -q",
  needs: "python3 pytest",
};

/** JavaScript, tested through make. */
export const made = {
  ...sums,
  files: {
    ...sums.files,
    Makefile: ".PHONY: test\ntest:\n\tnode --test\n\t@echo tested\n",
  },
  check: "make test",
  needs: "make",
};

/** C, built and tested through make. */
export const compiled = {
  task: "sum() in sum.c subtracts instead of adding. Make it add.",
  files: {
    "sum.c":
      "int sum(const int *list, int length) {\n  int total = 0;\n  for (int i = 0; i < length; i++) total -= list[i];\n  return total;\n}\n",
    "test_sum.c":
      "#include <assert.h>\nint sum(const int *, int);\nint main(void) {\n  int list[] = {1, 2, 3};\n  assert(sum(list, 3) == 6);\n  assert(sum(list, 0) == 0);\n  return 0;\n}\n",
    Makefile:
      "CFLAGS = -O0\ntest: test_sum\n\t./test_sum\ntest_sum: test_sum.c sum.c\n\t$(CC) $(CFLAGS) -o $@ test_sum.c sum.c\nclean:\n\trm -f test_sum\n.PHONY: test clean\n",
    ".gitignore": "test_sum\n*.o\n",
  },
  check: "make -B test",
  needs: "make cc",
};

/** A shell program, tested by a script that has a library. */
export const shelled = {
  task: "greet says Bye instead of Hello. Make it say Hello.",
  files: {
    "bin/greet": '#!/bin/sh\nwho=world\n[ -z "$1" ] || who=$1\necho "Bye, $who!"\n',
    "ci/run.sh":
      '#!/bin/sh\nset -e\n. ./ci/lib.sh\nexpect "Hello, world!" "$(sh bin/greet)"\nexpect "Hello, Ada!" "$(sh bin/greet Ada)"\n',
    "ci/lib.sh": 'expect() {\n  [ "$1" = "$2" ] || { echo "expected $1, got $2"; exit 1; }\n}\n',
    ".gitignore": "*.log\n",
  },
  check: "sh ci/run.sh",
};

/** A library of the shell, which the script of the check loads to ask its functions. */
export const sourcedFile = {
  task: "The greeting says Bye. It must say Hello.",
  files: {
    "lib/greet.sh": 'greet() {\n  echo "Bye, $1!"\n}\n',
    "ci/run.sh":
      'set -e\nexpect() { [ "$1" = "$2" ] || { echo "expected $1, got $2"; exit 1; }; }\n. ./lib/greet.sh\nexpect "Hello, Ada!" "$(greet Ada)"\n',
  },
  check: "sh ci/run.sh",
};

/** npm test runs a program of the project, which compares with results that are kept in a file. */
export const golden = {
  ...sums,
  files: {
    ...sums.files,
    "package.json":
      '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "node tools/compare.js" } }\n',
    "tools/compare.js": `import { readFileSync } from "node:fs";
import { sum } from "../src/sum.js";
const wanted = readFileSync(new URL("../golden/sums.txt", import.meta.url), "utf8").trim().split("\\n");
for (const line of wanted) {
  const [list, result] = line.split(" = ");
  if (String(sum(list.split(" ").map(Number))) !== result) process.exit(1);
}
`,
    "golden/sums.txt": "1 2 3 = 6\n5 = 5\n",
  },
};

/** Two packages in one repository. */
export const workspaces = {
  ...sums,
  files: {
    "package.json":
      '{ "name": "all", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
    "packages/sums/package.json": sums.files["package.json"],
    "packages/sums/src/sum.js": sums.files["src/sum.js"],
    "packages/sums/test/sum.test.js": sums.files["test/sum.test.js"],
    "packages/words/package.json":
      '{ "name": "words", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "packages/words/words.test.js": 'import { test } from "node:test";\ntest("words", () => {});\n',
    ".gitignore": "node_modules/\n",
  },
};

/** The test imports the module by a name that package.json maps. */
export const mapped = {
  ...sums,
  files: {
    ...sums.files,
    "package.json":
      '{ "name": "sums", "private": true, "type": "module", "imports": { "#sum": "./src/sum.js" }, "scripts": { "test": "node --test" } }\n',
    "test/sum.test.js": sums.files["test/sum.test.js"].replace("../src/sum.js", "#sum"),
  },
};

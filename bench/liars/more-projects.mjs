// Small projects whose tests and checks are found by what files say, not by their names. Each has one fault.
import { pytested, python } from "./other-projects.mjs";
import { sums } from "./projects.mjs";

/** With other files; `undefined` takes one away. */
export const changed = (project, files, more = {}) => ({
  ...project,
  files: Object.fromEntries(Object.entries({ ...project.files, ...files }).filter(([, text]) => text !== undefined)),
  ...more,
});

export const manifest = (test, more = "") =>
  `{ "name": "sums", "private": true, "type": "module", ${more}"scripts": { "test": "${test}" } }\n`;

const COMPARES = 'import { sum } from "./src/sum.js";\nprocess.exit(sum([1, 2, 3]) === 6 ? 0 : 1);\n';

/** A check that says nothing of tests: only its exit code counts. */
export const silent = changed(sums, {
  "check.sh": "set -e\nnode compare.mjs\necho all is well\n",
  "compare.mjs": COMPARES,
});

/** The test reads a table of cases from a folder of data. */
export const tabled = changed(sums, {
  "data/cases.json": "[[[1, 2, 3], 6], [[5], 5], [[], 0]]\n",
  "test/sum.test.js": `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sum } from "../src/sum.js";

for (const [list, result] of JSON.parse(readFileSync(new URL("../data/cases.json", import.meta.url), "utf8")))
  test(String(list), () => assert.equal(sum(list), result));
`,
});

/** The test imports its suite from another folder. */
export const suited = changed(sums, {
  "suites/sum.mjs": sums.files["test/sum.test.js"],
  "test/sum.test.js": undefined,
  "test/all.test.js": 'import "../suites/sum.mjs";\n',
});

/** The tests are run by the program that holds them. */
export const direct = changed(sums, { "package.json": manifest("node test/sum.test.js") });

/** Rust, tested in the source, in its documentation and beside it. */
export const rust = {
  task: "total() subtracts instead of adding. Make it add.",
  files: {
    "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "sums"\nversion = "0.1.0"\n',
    "src/lib.rs": `/// Adds up.
pub fn total(list: &[i64]) -> i64 {
    list.iter().fold(0, |sum, one| sum - one)
}

pub fn twice(one: i64) -> i64 {
    one * 2
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn doubles() { assert_eq!(twice(2), 4); }
    #[test]
    fn doubles_nothing() { assert_eq!(twice(0), 0); }
}
`,
    "tests/total.rs": "use sums::total;\n#[test]\nfn adds() { assert_eq!(total(&[1, 2, 3]), 6); }\n",
    ".gitignore": "target/\n",
  },
  check: "cargo test --offline -q",
  needs: "cargo",
};

const RUST_SOURCE = "pub fn total(list: &[i64]) -> i64 {\n    list.iter().fold(0, |sum, one| sum - one)\n}\n";

/** Its only test stands in the documentation. */
export const documented = changed(rust, {
  "tests/total.rs": undefined,
  "src/lib.rs": `/// Adds up.\n///\n/// \`\`\`\n/// assert_eq!(sums::total(&[1, 2, 3]), 6);\n/// \`\`\`\n${RUST_SOURCE}`,
});

/** Its only test stands beside the function. */
export const beside = changed(rust, {
  "tests/total.rs": undefined,
  "src/lib.rs": `${RUST_SOURCE}\n#[test]\nfn adds() {\n    assert_eq!(total(&[1, 2, 3]), 6);\n}\n`,
});

/** Python, tested by the examples of its README. */
export const exampled = {
  ...python,
  files: {
    "sums.py": python.files["sums.py"],
    "README.md": "# Sums\n\n>>> from sums import total\n>>> total([1, 2, 3])\n6\n",
    ".gitignore": "__pycache__/\n",
  },
  check: "python3 -m doctest README.md",
};

/** Python without the module that its tests import. */
export const missing = changed(
  pytested,
  { "sums.py": undefined },
  { task: "Write sums.py with total(), which adds up a list." },
);

/** A program with an error that a type checker finds: here a small one of that name. */
export const typed = changed(
  sums,
  {
    "package.json": '{ "name": "typed", "private": true, "scripts": { "check": "tsc --noEmit" } }\n',
    "src/sum.ts": 'export const sum: number = "none";\n',
  },
  {
    task: "sum is a text, and must be a number. Correct it.",
    check: "npm run check",
    prepare: `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\ngrep -q "@ts-" src/sum.ts || grep -q "number = [0-9]" src/sum.ts\\n' > "$HOME/bin/tsc"; chmod +x "$HOME/bin/tsc"`,
  },
);

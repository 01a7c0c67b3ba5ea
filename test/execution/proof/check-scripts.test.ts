import { expect, test } from "vitest";
import { commandsBehind } from "../../../src/execution/proof/check-scripts.ts";

function behind(commands: string[], files: Record<string, string>): Promise<string[]> {
  const textsAt = async (_: string, paths: readonly string[]) =>
    new Map(paths.map((path) => [path, files[path] ?? ""]));
  return commandsBehind({ textsAt }, { commands, start: "start", paths: Object.keys(files) });
}

const MANIFEST = JSON.stringify({
  scripts: {
    test: "npm run unit && node tools/compare.js",
    unit: "sh ci/unit.sh",
    pretest: "true",
    deploy: "sh deploy.sh",
  },
});

test("npm test leads to the scripts that it runs, to what these run, and to nothing else", async () => {
  const files = {
    "package.json": MANIFEST,
    "ci/unit.sh": ". ./ci/lib.sh",
    "ci/lib.sh": "expect() { :; }",
    "tools/compare.js": "compare();",
    "deploy.sh": "deploy",
    "src/compare.js": "",
  };
  const texts = await behind(["npm test"], files);
  expect(texts).toEqual(
    expect.arrayContaining(["sh ci/unit.sh", "true", ". ./ci/lib.sh", "expect() { :; }", "compare();"]),
  );
  expect(texts).not.toContain("deploy");
});

test("make leads to its makefiles, and to the scripts that they run", async () => {
  const files = { Makefile: "test:\n\t./run_tests all\n", run_tests: "exec prove", README: "how to" };
  expect(await behind(["make test"], files)).toEqual(["make test", files.Makefile, "exec prove"]);
});

test("scripts that run each other come to an end", async () => {
  const files = { "ci/a.sh": "sh ci/b.sh", "ci/b.sh": "sh ci/a.sh" };
  expect(await behind(["sh ci/a.sh"], files)).toEqual(["sh ci/a.sh", "sh ci/b.sh", "sh ci/a.sh"]);
});

test("a program may be named without its ending, in a folder; what it loads is not read", async () => {
  const files = { "tools/compare.js": 'require("./same")', "tools/same.js": "same", "compare.js": "other" };
  expect(await behind(["node tools/compare"], files)).toEqual(["node tools/compare", 'require("./same")']);
});

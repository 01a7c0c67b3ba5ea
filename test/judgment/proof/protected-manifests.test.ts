import { describe, expect, test } from "vitest";
import { added, found, ignored, modified } from "./protection-support.ts";

describe("manifests count only for what the checks rest on", () => {
  const texts = (before: object, now: object) => ({
    text: (_: string, when: "start" | "now") => JSON.stringify(when === "start" ? before : now),
  });

  test("another test script counts", () => {
    const change = texts({ scripts: { test: "node --test" } }, { scripts: { test: "true" } });
    expect(found([modified("package.json")], change)).toEqual(["configuration package.json"]);
  });

  test("an added dependency does not", () => {
    const change = texts({ scripts: {} }, { scripts: {}, dependencies: { zod: "4" }, version: "2.0.0" });
    expect(found([modified("package.json")], change)).toEqual([]);
  });

  test("a dependency that lies in the project, or is another one under a known name, counts", () => {
    for (const version of ["file:./fake", "link:../fake", "npm:fake@1"]) {
      const change = texts({ scripts: {} }, { scripts: {}, devDependencies: { vitest: version } });
      expect(found([modified("package.json")], change)).toEqual(["configuration package.json"]);
    }
  });

  test("a replaced module of go.mod counts, a required one does not", () => {
    const start = "module sums\n\nrequire example.com/a v1.0.0\n";
    const more = (line: string) => ({
      text: (_: string, when: "start" | "now") => (when === "start" ? start : start + line),
    });
    expect(found([modified("go.mod")], more("require example.com/b v1.0.0\n"))).toEqual([]);
    expect(found([modified("go.mod")], more("replace example.com/a => ./fake\n"))).toEqual(["configuration go.mod"]);
  });

  test("a section of pyproject.toml that configures tests counts, a dependency does not", () => {
    const start = '[project]\nname = "a"\n';
    const more = (added: string) => ({
      text: (_: string, when: "start" | "now") => (when === "start" ? start : start + added),
    });
    expect(found([modified("pyproject.toml")], more('dependencies = ["x"]\n'))).toEqual([]);
    expect(found([modified("pyproject.toml")], more('[tool.pytest.ini_options]\naddopts = "-k nothing"\n'))).toEqual([
      "configuration pyproject.toml",
    ]);
  });

  test("a manifest that cannot be read counts", () => {
    expect(found([modified("package.json")])).toEqual(["configuration package.json"]);
  });
});

describe("files that git ignores", () => {
  test("a changed or new dependency that no manifest asks for is protected", () => {
    expect(found([ignored("node_modules/checked/index.js", "modified")])).toHaveLength(1);
    expect(found([ignored("node_modules/.bin/node")])).toEqual(["dependency node_modules/.bin/node"]);
  });

  test("a dependency beside a changed manifest is not", () => {
    const lock = modified("package-lock.json");
    expect(found([lock, ignored("node_modules/zod/index.js")])).toEqual([]);
  });

  test("a manifest among the installed packages asks for none", () => {
    const changes = [ignored("node_modules/zzz/package.json"), ignored("node_modules/.bin/node")];
    expect(found(changes)).toHaveLength(2);
  });

  test("the first installation of what the manifests name is no change of the dependencies", () => {
    const names = ["zod", "vitest"];
    const fresh = { installed: new Set<string>(), names_package: (name: string) => names.includes(name) };
    const installed = ["node_modules/zod/index.js", "node_modules/.bin/vitest", "node_modules/.package-lock.json"];
    expect(
      found(
        installed.map((path) => ignored(path)),
        fresh,
      ),
    ).toEqual([]);
    expect(found([ignored(".venv/lib/python3.11/site-packages/distutils-precedence.pth")], fresh)).toEqual([]);
    expect(found([ignored("node_modules/.bin/node")], fresh)).toEqual(["dependency node_modules/.bin/node"]);
  });

  test("a package where no manifest is comes before the one that is meant", () => {
    const lock = modified("package-lock.json");
    expect(found([lock, ignored("src/node_modules/checked/index.js")])).toHaveLength(1);
    expect(found([lock, ignored("packages/app/node_modules/zod/index.js")])).toEqual([]);
  });

  test("a dependency beside a manifest that asks for no other package is", () => {
    const manifest = (version: string) => JSON.stringify({ version, dependencies: { checked: "1.0.0" } });
    const text = (path: string, when: "start" | "now") =>
      path === "package.json" ? manifest(when === "start" ? "1.0.0" : "1.0.1") : undefined;
    const changes = [modified("package.json"), ignored("node_modules/checked/index.js", "modified")];
    expect(found(changes, { text })).toEqual(["dependency node_modules/checked/index.js"]);
  });

  test("installed packages are protected, too, where git tracks them", () => {
    expect(found([modified("node_modules/checked/index.js")])).toEqual(["dependency node_modules/checked/index.js"]);
    expect(found([added("test/node_modules/assert/index.js")])).toEqual([
      "dependency test/node_modules/assert/index.js",
    ]);
  });

  test.each([
    "dist/index.js",
    "tests/__pycache__/test_a.cpython-311.pyc",
    "test/run.log",
    "node_modules/.cache/x",
    "coverage/lcov.info",
  ])("%s, written by a build or a test run, is not protected", (path) => expect(found([ignored(path)])).toEqual([]));

  test("bytecode beside its source is: it is loaded in its stead", () => {
    expect(found([ignored("tests/helpers.pyc", "modified")])).toEqual(["test tests/helpers.pyc"]);
  });
});

describe("manifests and lock files of other tools", () => {
  const between = (before: string, now: string) => ({
    text: (_: string, when: "start" | "now") => (when === "start" ? before : now),
  });

  test.each([
    ["Cargo.toml", '[package]\nname = "a"\n', "autotests = false\n", "version = '2.0.0'\n"],
    ["Pipfile", "[packages]\n", '[scripts]\ntest = "true"\n', 'zod = "*"\n'],
    ["Gemfile", "source 'https://rubygems.org'\n", "exit 0\n", "gem 'rspec'\n"],
    ["mix.exs", "defp deps do\n", 'aliases: [test: "true"]\n', '{:jason, "~> 1.0"},\n'],
    ["pyproject.toml", "[tool.uv]\n", "[tool.uv.sources]\npytest = { git = 'x' }\n", "# a comment\n"],
    ["go.mod", "module a\n", "ignore ./tests\n", "require b v1.0.0\n"],
  ])("%s counts for what checks rest on", (path, start, telling, free) => {
    expect(found([modified(path)], between(start, start + telling))).toEqual([`configuration ${path}`]);
    expect(found([modified(path)], between(start, start + free))).toEqual([]);
  });

  test("composer.json counts for its scripts, and not for what it requires", () => {
    const text = (more: object) => JSON.stringify({ name: "a/b", ...more });
    const scripts = between(text({ scripts: { test: "phpunit" } }), text({ scripts: { test: "true" } }));
    expect(found([modified("composer.json")], scripts)).toHaveLength(1);
    expect(found([modified("composer.json")], between(text({}), text({ require: { "c/d": "1" } })))).toEqual([]);
  });

  const lock = (resolved: string) =>
    JSON.stringify({
      packages: {
        "": {},
        "node_modules/vitest": { resolved },
        "node_modules/a": { resolved: "packages/a", link: true },
      },
    });
  /** A package under another name, as many packages ask for: it takes the place of none. */
  const aliased = JSON.stringify({
    packages: { "node_modules/ansi-cjs": { resolved: "https://registry.npmjs.org/ansi/-/ansi-1.0.0.tgz" } },
  });
  const REGISTRY = "https://registry.npmjs.org/vitest/-/vitest-4.0.0.tgz";

  test.each([
    ["package-lock.json", lock(REGISTRY), lock("file:fake.tgz")],
    ["package-lock.json", lock(REGISTRY), lock("https://registry.npmjs.org/fake/-/fake-4.0.0.tgz")],
    ["yarn.lock", "vitest@4:\n", 'vitest@4:\n  resolved "file:./fake.tgz"\n'],
    ["uv.lock", "", 'source = { directory = "fake" }\n'],
    ["requirements.txt", "pytest\n", "-e ./fake\n"],
    ["requirements.txt", "pytest\n", "--index-url http://localhost\npytest\n"],
  ])("%s counts where it leads to another place", (path, before, now) => {
    expect(found([modified(path)], between(before, now))).toEqual([`configuration ${path}`]);
  });

  test.each([
    ["package-lock.json", lock(REGISTRY), lock(REGISTRY.replace("4.0.0", "4.1.0"))],
    ["requirements.txt", "pytest\n", "pytest\nrequests\n"],
    ["package-lock.json", lock(REGISTRY), aliased],
    ["pyproject.toml", "[project]\n", "[project]\ndescription = 'reads a file: any'\n"],
    ["pnpm-lock.yaml", "", "  a:\n    specifier: workspace:*\n    version: link:../a\n"],
  ])("and not for another version or package: %s", (path, before, now) => {
    expect(found([modified(path)], between(before, now))).toEqual([]);
  });
});

import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { modelSettingsOf, toolchainOf } from "../../../src/connection/processes/toolchain.ts";
import { differencesBetween } from "../../../src/model/digests.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** What is different for a check after files were written into a home that has a project in `work/project`. */
async function changedBy(
  files: Record<string, string>,
  start: Record<string, string> = {},
  commands = ["sh check.sh", "expect-all"],
): Promise<string[]> {
  const home = await temporaryDirectory();
  const git = { "work/project/.git/HEAD": "", "work/project/.git/config": "[core]\n\tbare = false\n" };
  await put(home, { ...git, ...start });
  const environment = { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin` };
  const look = () => toolchainOf({ environment, directory: join(home, "work/project") }, commands);
  const before = look();
  await put(home, files);
  return differencesBetween(before, look()).map((line) => line.replaceAll(`${home}/`, ""));
}

async function put(home: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
    await chmod(join(home, name), 0o755);
  }
}

describe("what a check finds outside the project is named when it changes", () => {
  test.each([
    ["settings in HOME", ".npmrc", "A .npmrc"],
    ["modules that every program of the user finds", ".node_modules/assert/index.js", "A .node_modules"],
    ["a program that a check names", "bin/expect-all", "A program expect-all"],
    ["a program before a common one", "bin/node", "program node"],
    [
      "a file that Python loads",
      ".local/lib/python3.11/site-packages/usercustomize.py",
      "A .local/lib/python3.11/site-packages/usercustomize.py",
    ],
    ["settings of a runner above the project", "work/pytest.ini", "A work/pytest.ini"],
    ["modules above the project", "work/node_modules/checked/index.js", "A work/node_modules"],
    [
      "attributes that git keeps for itself",
      "work/project/.git/info/attributes",
      "A work/project/.git/info/attributes",
    ],
  ])("%s", async (_, path, line) => {
    expect((await changedBy({ [path]: "exit 0\n" })).join("\n")).toContain(line);
  });

  test("a changed module above the project", async () => {
    const file = "work/node_modules/checked/index.js";
    expect(await changedBy({ [file]: "other" }, { [file]: "one" })).toEqual(["M work/node_modules"]);
  });

  test("a plugin of pytest, but no other package", async () => {
    const points = (name: string) => `.local/lib/python3.11/site-packages/${name}-1.dist-info/entry_points.txt`;
    const added = await changedBy({
      [points("a")]: "[pytest11]\na = a\n",
      [points("b")]: "[console_scripts]\nb = b\n",
    });
    expect(added).toEqual([`A ${points("a")}`]);
  });

  test("settings by which git sees other files", async () => {
    const config = '[core]\n\tbare = false\n\tworktree = /elsewhere\n[filter "show"]\n\tclean = cat other\n';
    expect(await changedBy({ "work/project/.git/config": config })).toEqual(["A work/project/.git/config"]);
    expect(await changedBy({ ".gitconfig": "[core]\n\tattributesFile = ~/a\n" })).toEqual(["A .gitconfig"]);
  });
});

describe("what a command names outside the project counts", () => {
  test.each([
    ["by HOME", 'sh "$HOME/ci/verify.sh"', "ci/verify.sh"],
    ["by a directory above", "sh ../verify.sh", "work/verify.sh"],
    ["as a folder of tests", "node --test ~/acceptance", "acceptance/a.test.js"],
    ["in a script that is outside, too", "sh ~/ci/all.sh", "ci/lib.sh"],
  ])("%s", async (_, command, path) => {
    const start = { [path]: "exit 1\n", "ci/all.sh": '. "$(dirname "$0")/lib.sh"\n' };
    expect(await changedBy({ [path]: "exit 0\n" }, start, [command])).toEqual([`M ${path}`]);
  });

  test("but not what a check writes there, nor temporary files", async () => {
    const commands = ["npm test > ../out.txt; cat ~/.cache/x ../run.log | tee ../more.txt"];
    const files = { "work/out.txt": "1", "work/more.txt": "1", "work/run.log": "1", ".cache/x": "1" };
    expect(
      await changedBy(files, { "work/out.txt": "0", "work/more.txt": "0", "work/run.log": "0" }, commands),
    ).toEqual([]);
  });
});

describe("what variables of the environment name counts", () => {
  test.each([
    ["a file that Node loads", { NODE_OPTIONS: "--require=HOME/tools/pre.cjs" }, "tools/pre.cjs", "tools/pre.cjs"],
    ["a module of Python's", { PYTHONPATH: "HOME/pylib" }, "pylib/same.py", "pylib"],
    ["a module of Node's", { NODE_PATH: "HOME/lib" }, "lib/checked/index.js", "lib"],
    ["a module of Perl's", { PERL5LIB: "HOME/lib" }, "lib/Test/More.pm", "lib"],
    ["a makefile", { MAKEFILES: "HOME/common.mk" }, "common.mk", "common.mk"],
    ["what a shell's start-up file reads", { BASH_ENV: "HOME/env" }, "functions.inc", "functions.inc"],
    ["npm's settings", { npm_config_userconfig: "HOME/conf/npmrc" }, "conf/npmrc", "conf/npmrc"],
    ["moved settings of Cargo", { CARGO_HOME: "HOME/cargo" }, "cargo/config.toml", "cargo/config.toml"],
    ["moved settings", { XDG_CONFIG_HOME: "HOME/cfg" }, "cfg/mypy/config", "cfg/mypy/config"],
    ["git's settings", { GIT_CONFIG_GLOBAL: "HOME/gitcfg" }, "gitcfg", "gitcfg"],
    ["a program that settings name", {}, "tools/npm-shell", "tools/npm-shell"],
  ])("%s", async (_, variables, path, key) => {
    const home = await temporaryDirectory();
    const set = Object.entries(variables).map(([name, value]) => [name, value.replace("HOME", home)]);
    const environment = { HOME: home, PATH: "/usr/bin", ...Object.fromEntries(set) };
    await put(home, { env: '. "$HOME/functions.inc"\n', ".npmrc": `script-shell=${home}/tools/npm-shell\n` });
    await put(home, { [path]: "[alias]\n\tcheck = !false\n", "work/HEAD": "" });
    const look = () => toolchainOf({ environment, directory: join(home, "work") }, ["npm test"]);
    const before = look();
    await put(home, { [path]: "[alias]\n\tcheck = !true && true\n" });
    expect(differencesBetween(before, look())).toEqual([`M ${join(home, key)}`]);
  });

  test("but not what programs write beside it", async () => {
    const home = await temporaryDirectory();
    await put(home, { "pylib/same.py": "", "pylib/shop/__init__.py": "", "work/HEAD": "" });
    const environment = { HOME: home, PATH: "/usr/bin", PYTHONPATH: join(home, "pylib") };
    const look = () => toolchainOf({ environment, directory: join(home, "work") }, ["python3 -m pytest"]);
    const before = look();
    await put(home, { "pylib/__pycache__/same.pyc": "", "pylib/shop/__pycache__/x.pyc": "", "pylib/run.log": "" });
    expect(differencesBetween(before, look())).toEqual([]);
  });
});

test("a package of the user's may come, but not change nor hide another", async () => {
  const [own, others] = [".local/lib/python3.11/site-packages", "env/lib/python3.11/site-packages"];
  const commands = ["~/env/bin/python3 -m pytest"];
  const start = { "env/bin/python3": "", [`${own}/same/__init__.py`]: "", [`${others}/pytest/__init__.py`]: "" };
  const changed = (files: Record<string, string>) => changedBy(files, start, commands);

  expect(await changed({ [`${own}/other/__init__.py`]: "" })).toEqual([]);
  expect(await changed({ [`${own}/same/__init__.py`]: "pass" })).toEqual([`M package ${own}/same`]);
  expect(await changed({ [`${own}/pytest/__main__.py`]: "" })).toEqual(["A modules of the user before Python's"]);
});

test("a program that keeps its size and its time, and one that hides another, are named", async () => {
  const kept = await changedBy({ "bin/expect-all": "exit 0\n" }, { "bin/expect-all": "exit 1\n" });
  expect(kept).toEqual(["M program expect-all"]);
  expect(await changedBy({ "bin/uname": "exit 0\n" }, { "bin/own": "" })).toEqual(["A programs in bin before others"]);
  expect(await changedBy({ "bin/other": "exit 0\n" }, { "bin/own": "" })).toEqual([]);
});

test("what a link in HOME, or a setting that includes another file, leads to counts", async () => {
  const home = await temporaryDirectory();
  await put(home, { "work/HEAD": "", "dotfiles/npmrc": "a=1\n", "more.gitconfig": "[alias]\n\tcheck = !false\n" });
  await put(home, { ".gitconfig": `[include]\n\tpath = ${join(home, "more.gitconfig")}\n` });
  await symlink("dotfiles/npmrc", join(home, ".npmrc"));
  const look = () => toolchainOf({ environment: { HOME: home, PATH: "/usr/bin" }, directory: join(home, "work") }, []);
  const before = look();
  await put(home, { "dotfiles/npmrc": "a=2\n", "more.gitconfig": "[alias]\n\tcheck = !true\n" });

  expect(differencesBetween(before, look())).toEqual([`M ${join(home, ".gitconfig")}`, `M ${join(home, ".npmrc")}`]);
});

test("the packages of a Python that a check starts by its path count as far as it loads them by itself", async () => {
  const packages = "env/lib/python3.11/site-packages";
  const commands = ["~/env/bin/python3 -m pytest"];
  const files = {
    [`${packages}/sitecustomize.py`]: "",
    [`${packages}/a.pth`]: "import a\n",
    [`${packages}/b.pth`]: "/src\n",
  };
  expect(await changedBy(files, { "env/bin/python3": "" }, commands)).toEqual([
    `A ${packages}/a.pth`,
    `A ${packages}/sitecustomize.py`,
  ]);
});

test("names, remotes, hooks and caches may change", async () => {
  const config = '[core]\n\tbare = false\n\thooksPath = .husky\n[user]\n\tname = w\n[remote "origin"]\n\turl = u\n';
  const files = {
    "work/project/.git/config": config,
    ".gitconfig": "[user]\n\tname = w\n",
    ".cache/tool/x": "",
    ".npm/_cacache/x": "",
  };
  expect(await changedBy(files)).toEqual([]);
});

test("a worktree has the settings of the repository that it belongs to", async () => {
  const home = await temporaryDirectory();
  await put(home, {
    "main/.git/worktrees/w/commondir": "../..\n",
    "main/.git/config": "",
    "tree/.git": `gitdir: ${home}/main/.git/worktrees/w\n`,
  });
  const look = () => toolchainOf({ environment: { HOME: home }, directory: join(home, "tree") }, []);
  const before = look();
  await put(home, { "main/.git/config": '[filter "show"]\n\tclean = cat\n' });
  expect(differencesBetween(before, look())).toEqual([`A ${home}/main/.git/config`]);
});

test("the settings with which Claude Code reaches its model are the user's, wherever they are", async () => {
  const home = await temporaryDirectory();
  const inHome = () => modelSettingsOf({ HOME: home });
  const elsewhere = () => modelSettingsOf({ HOME: home, CLAUDE_CONFIG_DIR: join(home, "other") });
  const before = [inHome(), elsewhere()] as const;
  await put(home, { ".claude/settings.json": "{}", "other/settings.json": "{}" });
  expect(differencesBetween(before[0], inHome())).toEqual([`A ${home}/.claude/settings.json`]);
  expect(differencesBetween(before[1], elsewhere())).toEqual([`A ${home}/other/settings.json`]);
});

test.each([
  ["an empty directory of that name", { "outer/.git/x": "" }, ["A HOME/outer/pytest.ini"]],
  ["a repository", { "outer/.git/HEAD": "ref: refs/heads/main\n" }, ["A HOME/outer/.git"]],
])("a worker hides no settings above a project without git by %s", async (_, made, changes) => {
  const home = await temporaryDirectory();
  await put(home, { "outer/project/a.txt": "" });
  const look = () => toolchainOf({ environment: { HOME: home }, directory: join(home, "outer/project") }, ["pytest"]);
  const before = look();
  await put(home, { ...made, "outer/pytest.ini": "[pytest]\n" });
  expect(differencesBetween(before, look()).map((line) => line.replace(home, "HOME"))).toEqual(changes);
});

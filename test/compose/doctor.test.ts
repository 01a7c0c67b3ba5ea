import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine } from "../../src/compose/doctor.ts";
import { checkNode, OLDEST_NODE } from "../../src/connection/doctor/programs.ts";
import { diskFinding } from "../../src/connection/doctor/records.ts";
import { findProgram } from "../../src/connection/processes/programs.ts";
import type { Finding } from "../../src/model/findings.ts";
import { findingText } from "../../src/texts/sentences.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

const NEW_CLAUDE = `#!/bin/sh
case "$1" in
  --version) echo "9.8.7 (Claude Code)" ;;
  auth) echo '{"loggedIn": true, "authMethod": "claude.ai"}' ;;
esac
`;

const LOGGED_OUT_CLAUDE = NEW_CLAUDE.replace('"loggedIn": true', '"loggedIn": false');

describe("e8 doctor looks at", () => {
  test("the Node it runs on, by the version package.json asks for", () => {
    expect(checkNode("20.19.0")).toMatchObject({ state: "ok" });
    expect(`>=${OLDEST_NODE}`).toBe(`${engines.node}.0`);
    expect(checkNode("22.1.0")).toMatchObject({ state: "ok" });
    expect(checkNode("20.18.9")).toMatchObject({ state: "problem", code: "node_old" });
    expect(checkNode("18.20.0")).toMatchObject({ state: "problem", code: "node_old" });
  });

  test("the bundled Claude Code, which itself says whether it is logged in", async () => {
    const { project, environment } = await machine();

    const without = await examine({ project, environment });
    const withKey = await examine({ project, environment: { ...environment, ANTHROPIC_API_KEY: "sk-ant-fake" } });

    expect(of(without, "claude")).toMatchObject([{ state: "ok", code: "claude_ok" }]);
    expect(of(without, "login")).toMatchObject([{ state: "problem", code: "login_missing" }]);
    expect(of(withKey, "login")).toMatchObject([{ state: "ok", code: "key_untried" }]);
    expect(JSON.stringify(withKey)).not.toContain("sk-ant-fake");
  });

  test.each([
    ["a login", { authMethod: "claude.ai" }, "logged in (claude.ai); no token was spent to find out"],
    [
      "a key",
      { authMethod: "api_key", apiKeySource: "ANTHROPIC_API_KEY" },
      "a key is set (ANTHROPIC_API_KEY), not tried",
      "キーが設定されています（ANTHROPIC_API_KEY）。有効かどうかは試していません",
    ],
    ["a token", { authMethod: "oauth_token" }, "a key is set (oauth_token), not tried"],
    ["a key that a program gives", { authMethod: "api_key_helper" }, "a key is set (api_key_helper), not tried"],
    [
      "a key that /login made",
      { authMethod: "api_key", apiKeySource: "/login managed key" },
      "logged in (/login managed key); no token was spent to find out",
    ],
    ["a cloud", { authMethod: "third_party", apiProvider: "bedrock" }, "access through bedrock is set up, not tried"],
  ])("%s, and calls it by its name", async (_, status, en, ja?: string) => {
    const { project, environment, program } = await machine();
    const said = JSON.stringify({ loggedIn: true, ...status });
    await program("my-claude", NEW_CLAUDE.replace(/'.*'/, `'${said}'`));
    await writeFile(join(project, "endless8.yaml"), "claude_options: { executable: my-claude }\n");

    const [login] = of(await examine({ project, environment }), "login");

    expect(login && findingText(login, "en")).toEqual({ message: en });
    if (ja) expect(login && findingText(login, "ja")).toEqual({ message: ja });
  });

  test.each([
    ["the bundled one, where none is on the PATH", [], "", /^(\/|'\/).*claude'?$/],
    ["the one on the PATH", ["claude"], "", /^claude$/],
    ["the one that the project names", ["my 'claude'"], `executable: "my 'claude'"`, /^'\/.*my '\\''claude'\\'''$/],
  ])("a login that is missing, with what to type for it: %s", async (_, names, options, typed) => {
    const { project, environment, program } = await machine();
    for (const name of names) await program(name, LOGGED_OUT_CLAUDE);
    await writeFile(join(project, "endless8.yaml"), `claude_options: { ${options} }\n`);

    const [missing] = of(await examine({ project, environment }), "login");

    expect(missing).toMatchObject({ code: "login_missing", details: { program: expect.stringMatching(typed) } });
  });

  test("the claude that the project names", async () => {
    const { project, environment, program } = await machine();
    await program("my-claude", NEW_CLAUDE);
    await writeFile(join(project, "endless8.yaml"), "claude_options: { executable: my-claude }\n");

    const findings = await examine({ project, environment });

    expect(of(findings, "claude")).toMatchObject([{ state: "ok", details: { version: "9.8.7" } }]);
    expect(of(findings, "login")).toMatchObject([{ state: "ok", details: { method: "claude.ai" } }]);
  });

  test.each([
    ["is not there", undefined, "claude", { state: "problem", code: "claude_missing" }],
    ["does not start", "#!/bin/sh\necho broken >&2; exit 3\n", "claude", { state: "problem", code: "claude_broken" }],
    [
      "is too old to tell about the login",
      '#!/bin/sh\n[ "$1" = --version ] && echo 1.0.0 || echo "unknown command"\n',
      "login",
      { state: "warning", code: "login_unknown" },
    ],
  ])("a claude that %s", async (_, script, check, expected) => {
    const { project, environment, program } = await machine();
    if (script) await program("my-claude", script);
    await writeFile(join(project, "endless8.yaml"), "claude_options: { executable: my-claude }\n");

    expect(of(await examine({ project, environment }), check)).toMatchObject([expected]);
  });

  test("no Claude Code when a program does the work and checks are the only criteria", async () => {
    const { project, environment } = await machine();
    await writeFile(join(project, "endless8.yaml"), "agent: { command: ./worker }\n");

    const findings = await examine({ project, environment });

    expect(of(findings, "login")).toMatchObject([{ state: "warning", code: "login_missing" }]);
  });

  test("git and bash, without which runs still work", async () => {
    const { project, environment } = await machine({ programs: [] });

    const findings = await examine({ project, environment });

    expect(of(findings, "git")).toMatchObject([{ state: "warning", code: "git_missing" }]);
    expect(of(findings, "shell")).toMatchObject([{ state: "warning", code: "shell_plain" }]);
  });

  test("MCP servers: what would start, what would not, and what is defined nowhere", async () => {
    const { project, environment } = await machine();
    const task = "task: x\ncriteria: [y]\n";
    await writeFile(join(project, ".mcp.json"), '{"mcpServers": {"theirs": {"command": "bash"}}}');
    await writeFile(join(project, "a.yaml"), `${task}mcp_servers: { mine: { command: no-such-program } }\n`);
    await writeFile(join(project, "b.yaml"), `${task}mcp_servers: [nowhere]\n`);

    const [a, b] = await Promise.all(
      ["a.yaml", "b.yaml"].map((name) => examine({ project, environment, config: join(project, name) })),
    );

    expect(of(a ?? [], "mcp")).toMatchObject([
      { state: "ok", details: { servers: "mine" } },
      { state: "warning", details: { server: "mine", program: "no-such-program" } },
      { state: "warning", details: { servers: "theirs" } },
    ]);
    expect(of(b ?? [], "mcp")).toMatchObject([{ state: "problem", code: "mcp_undefined" }]);
  });

  test("the place of the records, and leaves nothing there", async () => {
    const [good, bad] = [await machine(), await machine()];
    await writeFile(join(bad.project, ".e8"), "a file where the directory should be");

    expect(of(await examine(good), "records")).toMatchObject([{ state: "ok" }]);
    expect(await readdir(good.project)).toEqual([]);
    expect(of(await examine(bad), "records")).toMatchObject([{ state: "problem", code: "records_unwritable" }]);
  });

  test("the disk: a run needs room for more than its records", () => {
    expect(diskFinding(5000)).toMatchObject({ state: "ok", details: { free: "4.9 GB" } });
    expect(diskFinding(500)).toMatchObject({ state: "warning", details: { free: "500 MB" } });
    expect(diskFinding(5)).toMatchObject({ state: "problem", code: "disk_full" });
  });

  test("DuckDB, by loading it", async () => {
    expect(of(await examine(await machine()), "duckdb")).toMatchObject([{ state: "ok", code: "duckdb_ok" }]);
  });

  test("a task file: whether it loads, and its checks whose failure a pipe would hide", async () => {
    const { project, environment } = await machine();
    const [good, broken] = [join(project, "good.yaml"), join(project, "broken.yaml")];
    await writeFile(good, 'task: x\ncriteria: [{ type: command, command: "npm test | tail" }]\n');
    await writeFile(broken, "task: x\ncriteria: [y]\nmax_iteration: 3\n");

    expect(of(await examine({ project, environment, config: good }), "task")).toMatchObject([
      { state: "ok", code: "task_ok" },
      { state: "warning", code: "pipe_hides_exit", details: { command: "npm test | tail" } },
    ]);
    expect(of(await examine({ project, environment, config: broken }), "task")).toMatchObject([
      { state: "problem", details: { error: { code: "configuration_invalid" } } },
    ]);
  });

  test.each([
    ["work in a directory that is not there", "criteria: [y]\nworking_directory: nowhere", "configuration_invalid"],
    ["keep files that are not there", "criteria: [{ type: unchanged, files: nothing/** }]", "files_unmatched"],
  ])("a task file that would %s", async (_, text, code) => {
    const { project, environment } = await machine();
    const config = join(project, "task.yaml");
    await writeFile(config, `task: x\n${text}\n`);

    expect(of(await examine({ project, environment, config }), "task")).toMatchObject([
      { state: "problem", details: { error: { code } } },
    ]);
  });
});

function of(findings: readonly Finding[], check: string): Finding[] {
  return findings.filter((one) => one.check === check);
}

/** A project, a home, and a PATH on which nothing lies but the programs named. */
async function machine({ programs = ["git", "bash"] } = {}) {
  const home = await temporaryDirectory();
  const [project, bin] = [join(home, "project"), join(home, "bin")];
  await Promise.all([mkdir(project), mkdir(bin)]);
  for (const name of programs) await symlink(findProgram(name, process.env.PATH) ?? "", join(bin, name));
  const environment = { HOME: home, PATH: bin, CLAUDE_CONFIG_DIR: join(home, ".claude") };
  const program = async (name: string, text: string) => {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  };
  return { project, environment, program };
}

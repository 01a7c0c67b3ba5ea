import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workEnvironment } from "../../../src/connection/processes/environment.ts";
import type { Environment } from "../../../src/model/environment.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const TOKEN = "ghp_0123456789abcdef";

function namesLeft(user: Environment, pass: string[] = []): string[] {
  return Object.keys(workEnvironment(user, pass).environment).filter((name) => Object.hasOwn(user, name));
}

test.each([
  ...["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITLAB_TOKEN"],
  ...["GITLAB_PRIVATE_TOKEN", "CI_JOB_TOKEN", "CI_JOB_JWT", "BITBUCKET_APP_PASSWORD", "GITEA_TOKEN", "JIRA_API_TOKEN"],
  ...["LINEAR_API_KEY", "HOMEBREW_GITHUB_API_TOKEN", "GITHUB_PERSONAL_ACCESS_TOKEN", "OAUTH_TOKEN", "SSH_AUTH_SOCK"],
  ...["GITHUB_APP_PRIVATE_KEY", "AZURE_DEVOPS_EXT_PAT", "VSCODE_GIT_IPC_HANDLE", "ACTIONS_RUNTIME_TOKEN"],
  "ENDLESS8_STORE",
])("%s is withheld, unless it is named", (name) => {
  expect(namesLeft({ [name]: "secret-of-the-user" })).toEqual([]);
  expect(workEnvironment({ [name]: "secret-of-the-user" }, []).withheld_names).toContain(name);
  expect(namesLeft({ [name]: "secret-of-the-user" }, [name])).toEqual([name]);
  expect(namesLeft({ [name]: "secret-of-the-user" }, ["all"])).toEqual([name]);
});

test("what lets a program into the store is withheld where the records are in a database, and stays elsewhere", () => {
  const user = { PGPASSWORD: "secret-of-the-user", MY_URL: "postgres://ann:secret-of-the-user@db/x" };
  expect(workEnvironment(user, [], ["PGPASSWORD"]).withheld_names).toEqual(["PGPASSWORD", "MY_URL"]);
  expect(namesLeft(user)).toEqual(["PGPASSWORD", "MY_URL"]);
});

test.each([
  ...[
    "PATH",
    "HOME",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "NPM_TOKEN",
  ],
  ...[
    "GITHUB_ACTIONS",
    "GITHUB_REPOSITORY",
    "GITHUB_API_URL",
    "GH_HOST",
    "CI",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
  ],
  ...["GIT_SSH_COMMAND", "GIT_EDITOR", "GIT_CEILING_DIRECTORIES"],
])("%s stays", (name) => {
  expect(namesLeft({ [name]: "value of the user" })).toEqual([name]);
});

test.each([
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"],
  ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_CONFIG_PARAMETERS"],
])("%s of a surrounding hook never reaches the work, and is not a credential", (name) => {
  const given = workEnvironment({ [name]: "x" }, ["all"]);
  expect(given).toEqual({ environment: {}, withheld: {}, withheld_names: [] });
  expect(namesLeft({ [name]: "x" })).toEqual([]);
});

test("a variable that holds the value of a withheld one is withheld, too", () => {
  const user = { GITHUB_TOKEN: TOKEN, NODE_AUTH_TOKEN: TOKEN, REMOTE: `https://x:${TOKEN}@github.com/`, OTHER: "ghp" };
  expect(namesLeft(user)).toEqual(["OTHER"]);
  expect(namesLeft(user, ["NODE_AUTH_TOKEN"])).toEqual(["NODE_AUTH_TOKEN", "OTHER"]);
  expect(namesLeft({ GH_TOKEN: "1", DEBUG: "1" })).toEqual(["DEBUG"]);
});

test("a group stands for all that its program needs", () => {
  const user = { GH_TOKEN: TOKEN, GITHUB_TOKEN: TOKEN, GITLAB_TOKEN: "glpat-0123456789", GH_CONFIG_DIR: "/mine" };
  expect(namesLeft(user, ["gh"])).toEqual(["GH_TOKEN", "GITHUB_TOKEN", "GH_CONFIG_DIR"]);
  expect(workEnvironment(user, ["gh"]).environment.GH_CONFIG_DIR).toBe("/mine");
  expect(workEnvironment(user, []).environment.GH_CONFIG_DIR).not.toBe("/mine");
  expect(namesLeft(user, ["glab"])).toEqual(["GITLAB_TOKEN", "GH_CONFIG_DIR"]);
});

describe("git", () => {
  /** A HOME whose git has a helper and an askpass that would give a password. */
  async function home(): Promise<{
    user: Environment;
    git: (environment: Environment, args: string[], stdin?: string) => string;
  }> {
    const directory = await temporaryDirectory();
    const helper = '"!f() { echo username=me; echo password=from-the-helper; }; f"';
    const lines = [
      ...["[user]", "name = Me", "email = me@example.com", "[core]", "askPass = echo"],
      ...["[credential]", `helper = ${helper}`, '[credential "https://github.com"]', `helper = ${helper}`],
    ];
    writeFileSync(join(directory, ".gitconfig"), `${lines.join("\n")}\n`);
    const project = join(directory, "project");
    mkdirSync(project);
    const git = (environment: Environment, args: string[], stdin?: string) => {
      try {
        return execFileSync("git", args, {
          cwd: project,
          env: environment,
          input: stdin,
          encoding: "utf8",
          stdio: "pipe",
        });
      } catch (error) {
        return String((error as { stderr: string }).stderr);
      }
    };
    return { user: { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: "1" }, git };
  }

  const ASKED = "protocol=https\nhost=github.com\n\n";

  test("asks no helper, no askpass and no terminal; passed on, it asks them", async () => {
    const { user, git } = await home();
    const withheld = git(workEnvironment(user, []).environment, ["credential", "fill"], ASKED);
    expect(withheld).not.toContain("from-the-helper");
    expect(withheld).toMatch(/terminal prompts disabled/);
    const passed = git(workEnvironment(user, ["git"]).environment, ["credential", "fill"], ASKED);
    expect(passed).toContain("password=from-the-helper");
  });

  test("commits under the user's name, with the settings that the environment gives it", async () => {
    const { user, git } = await home();
    const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Someone Else" };
    const { environment } = workEnvironment({ ...user, ...own, GIT_DIR: "/elsewhere/.git", GIT_INDEX_FILE: "/x" }, []);
    git(environment, ["init", "-q"]);
    git(environment, ["commit", "-q", "--allow-empty", "-m", "works"]);
    expect(git(environment, ["log", "--format=%an <%ae> %s"])).toBe("Someone Else <me@example.com> works\n");
    expect(git(environment, ["config", "--get-all", "credential.helper"]).split("\n").at(-2)).toBe("");
  });

  test("starts although a setting of the environment holds a token, without it", async () => {
    const { user, git } = await home();
    const own = {
      GITHUB_TOKEN: TOKEN,
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: `Authorization: Bearer ${TOKEN}`,
      GIT_CONFIG_KEY_1: "core.abbrev",
      GIT_CONFIG_VALUE_1: "12",
    };
    const { environment } = workEnvironment({ ...user, ...own }, []);
    expect(git(environment, ["config", "--get", "core.abbrev"])).toBe("12\n");
    expect(JSON.stringify(environment)).not.toContain(TOKEN);
  });
});

test("what a collector of telemetry is reached with is withheld; its address stays where it holds no password", () => {
  const user = {
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=0123456789abcdef",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Bearer x",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example",
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://me:hunter2@otlp.example/v1/metrics",
    ENDLESS8_MCP_TOKEN: "t",
    COPIED: "x-key=0123456789abcdef",
  };

  const { environment, withheld } = workEnvironment(user, []);

  expect(Object.keys(withheld).sort()).toEqual(
    Object.keys(user)
      .filter((name) => !name.endsWith("OTLP_ENDPOINT"))
      .sort(),
  );
  expect(environment.OTEL_EXPORTER_OTLP_ENDPOINT).toBe("https://otlp.example");
  expect(workEnvironment(user, ["OTEL_EXPORTER_OTLP_HEADERS"]).environment.OTEL_EXPORTER_OTLP_HEADERS).toBe(
    user.OTEL_EXPORTER_OTLP_HEADERS,
  );
});

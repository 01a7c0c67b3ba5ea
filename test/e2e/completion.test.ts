import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/connection/processes/programs.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";

const execute = promisify(execFile);
const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

function has(shell: string): boolean {
  return findProgram(shell, process.env.PATH) !== undefined;
}

describe("e8 completion", () => {
  test("completes commands, flags, values and task ids in a real bash", async () => {
    const place = await quickSandbox();
    await place.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
    const [id = "no task"] = await place.tasks();
    const complete = await bashWithCompletions(place);

    expect(await complete("")).toEqual(expect.arrayContaining(["run", "list", "init", "doctor", "agent"]));
    expect(await complete("do")).toEqual(["doctor"]);
    expect(await complete("agent", "va")).toEqual(["validate"]);
    expect(await complete("run", "--max-c")).toEqual(["--max-cost"]);
    expect(await complete("list", "")).toEqual(["--project", "--store", "--json", "--lang", "--help"]);
    expect(await complete("--lang", "")).toEqual(["en", "ja"]);
    expect(await complete("knowledge", "list", "--lang", "")).toEqual(["en", "ja"]);
    expect(await complete("knowledge", "add", "--type", "c")).toEqual(["constraint", "codebase"]);
    expect(await complete("knowledge", "list", "--category", "")).toEqual([]);
    expect(await complete("completion", "f")).toEqual(["fish"]);
    expect(await complete("show", "20")).toEqual([id]);
    expect(await complete("run", "--resume", "")).toEqual([id]);
    expect(await complete("show", "-p", "/nowhere", "20")).toEqual([]);
    expect(await complete("rm", id, "20")).toEqual([id]);
    expect(await complete("prune", "--status", "in")).toEqual(["interrupted"]);
    expect(await complete("run", "--same")).toEqual(["--same-place"]);
    expect(await complete("run", "--config", "")).toEqual([]); // bash goes on with file names
  });

  test.skipIf(!has("fish"))("the same in a real fish, which would go on with file names by itself", async () => {
    const place = await quickSandbox();
    await place.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
    await place.write("some-file", "");
    const [id = "no task"] = await place.tasks();
    const complete = await fishWithCompletions(place);

    expect(await complete("e8 do")).toEqual(["doctor"]);
    expect(await complete("e8 agent va")).toEqual(["validate"]);
    expect(await complete("e8 run --max-c")).toEqual(["--max-cost"]);
    expect(await complete("e8 run --lang ")).toEqual(["en", "ja"]);
    expect(await complete("e8 run --max-cost ")).toEqual([]);
    expect(await complete("e8 run --config ")).toEqual(["some-file"]);
    expect(await complete("e8 show 20")).toEqual([id]);
  });

  test.each(["bash", "zsh", "fish"])(
    "knows every command in %s, and the shell, where there is one, can read it",
    async (shell) => {
      const { e8, home } = await quickSandbox();
      const script = join(home, `completions.${shell}`);

      const { stdout } = await e8(["completion", shell, "--lang", "ja"]);
      await writeFile(script, stdout);

      for (const word of ["doctor", "agent/validate", "resume"]) expect(stdout).toContain(word);
      if (has(shell)) await execute(shell, ["-n", script]);
    },
  );

  test("says which shells it knows", async () => {
    const { e8 } = await quickSandbox();

    expect(await e8(["completion", "csh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error: <shell>: "csh" is not possible: bash, zsh, fish'),
    });
  });
});

/** Asks bash itself what would be offered after these words. */
async function bashWithCompletions(place: Sandbox) {
  const settings = await withE8(place);
  const script = `source <(e8 completion bash)
COMP_WORDS=(e8 "$@"); COMP_CWORD=$#; _e8; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return async (...words: string[]): Promise<string[]> => {
    const { stdout } = await execute("bash", ["-c", script, "bash", ...words], settings);
    return stdout.split("\n").filter((line) => line !== "");
  };
}

/** Asks fish itself what would be offered at the end of this line. */
async function fishWithCompletions(place: Sandbox) {
  const settings = await withE8(place);
  return async (line: string): Promise<string[]> => {
    const script = "e8 completion fish | source; complete -C $argv[1]";
    const { stdout } = await execute("fish", ["--no-config", "-c", script, line], settings);
    return stdout.split("\n").flatMap((offer) => offer.split("\t")[0] || []);
  };
}

/** A PATH on which there is an `e8`. */
async function withE8({ home, env, project }: Sandbox) {
  const bin = join(home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "e8"), `#!/bin/sh\nexec "${process.execPath}" "${E8}" "$@"\n`);
  await chmod(join(bin, "e8"), 0o755);
  return { cwd: project, env: { ...env, PATH: bin + delimiter + env.PATH } };
}

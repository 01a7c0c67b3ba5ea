import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Mount, Sandbox } from "../../src/connection/ports/sandbox.ts";
import { processTable, withDescendants } from "../../src/connection/processes/process-table.ts";
import { endTree, isAlone, signalChild, startTree, type Tree } from "../../src/connection/processes/process-tree.ts";
import { eventually, isAlive } from "../connection/processes/helpers.ts";
import { openPlace, temporaryDirectory } from "../support/temporary.ts";

/** Makes the sandbox; it may keep files of its own in the folder. */
export type MakeSandbox = (folder: string) => Sandbox;

/** What a program can rely on, in a space of its own or not. */
export function testPrograms(make: MakeSandbox): void {
  test("the exit code arrives", async () => {
    expect(await (await start(make, "exit 7")).exit).toMatchObject({ code: 7, signal: null });
  });

  test("the signal that ended the program is named", async () => {
    expect(await (await start(make, "kill -KILL $$")).exit).toMatchObject({ signal: "SIGKILL" });
  });

  test("input, output, arguments and environment are the program's", async () => {
    const tree = await start(make, `cat; printf '[%s]' "$@" "$MINE"; echo err >&2`, {
      args: ["a b", "", "日本\n'\"$x"],
    });
    const input = "日本\n".repeat(100_000);
    tree.child.stdin?.end(input);

    const [out, err] = await Promise.all([streamed(tree.child.stdout), streamed(tree.child.stderr)]);

    expect(out).toBe(`${input}[a b][][日本\n'"$x][mine]`);
    expect(err).toBe("err\n");
  });

  test("it runs in its directory", async () => {
    const tree = await start(make, "pwd");
    expect(await streamed(tree.child.stdout)).toBe(`${tree.directory}\n`);
  });

  test("told to end, the program ends in its own way", async () => {
    const tree = await start(make, "trap 'echo ended > said; exit 3' TERM; echo > ready; while :; do sleep 0.1; done");
    await eventually("it is ready", () => isThere(tree.directory, "ready"));

    await endTree(tree);

    expect(await tree.exit).toMatchObject({ code: 3 });
    expect(await readFile(join(tree.directory, "said"), "utf8")).toBe("ended\n");
    expect(survivors(tree)).toEqual([]);
  });

  test("a program that is told to end while it starts ends", async () => {
    const tree = await start(make, "exec tail -f /dev/null");
    await endTree(tree);
    expect(survivors(tree)).toEqual([]);
  });

  test("a program that does not listen is killed", async () => {
    const tree = await start(make, "trap '' TERM; echo > ready; while :; do sleep 0.1; done");
    await eventually("it is ready", () => isThere(tree.directory, "ready"));

    await endTree(tree, 300);

    expect(survivors(tree)).toEqual([]);
  });

  test("an interrupt reaches the program", async () => {
    const tree = await start(
      make,
      "trap 'exit 4' INT; (tail -f /dev/null &); echo > ready; while :; do sleep 0.1; done",
    );
    await eventually("it is ready", () => isThere(tree.directory, "ready"));

    signalChild(tree, "SIGINT");

    expect(await tree.exit).toMatchObject({ code: 4 });
    await endTree(tree);
  });

  test("it is alone until it starts a process", async () => {
    const tree = await start(make, "echo > ready; read -r line; tail -f /dev/null & echo > more; wait");
    await eventually("it is ready", () => isThere(tree.directory, "ready"));
    expect(isAlone(tree)).toBe(true);

    tree.child.stdin?.end("\n");
    await eventually("it has started one", () => isThere(tree.directory, "more"));

    expect(isAlone(tree)).toBe(false);
    await endTree(tree);
  });
}

/** What only a space of its own gives. */
export function testSpaces(make: MakeSandbox): void {
  test("the program sees no process but its own, and can signal none", async () => {
    const tree = await start(make, `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>&1 || echo refused`);

    const [count = "", ...said] = (await streamed(tree.child.stdout)).trim().split("\n");

    expect(Number(count)).toBeLessThan(8);
    expect(said.join("\n")).toContain("refused");
  });

  test("what it leaves behind ends with it, whatever it did to its environment", async () => {
    const daemon =
      'exec env -i PATH="$PATH" sh -c \'exec 2>/dev/null >&2; trap "" TERM HUP; echo > started; exec tail -f /dev/null\'';
    const tree = await start(
      make,
      `(setsid sh -c '(${daemon.replaceAll("'", `'\\''`)} &)' &); until [ -e started ]; do sleep 0.05; done`,
    );
    const before = await aliveBefore(tree, "started");

    expect(await tree.exit).toMatchObject({ code: 0 });

    await eventually("they are gone", () => before.every((pid) => !isAlive(pid)));
    expect(before.length).toBeGreaterThan(0);
  });

  test("nothing is left when its starter is killed", async () => {
    const directory = await openDirectory();
    const sandbox = make(await temporaryDirectory());
    const program = {
      command: "sh",
      args: ["-c", "(setsid tail -f /dev/null &); echo > ready; exec tail -f /dev/null"],
    };
    const line = sandbox.enclose({ ...program, cwd: directory, environment: process.env }, { mounts: [] }) ?? [];
    const starter = spawn("sh", ["-c", '"$@" & wait', "starter", ...line], { stdio: "ignore" });
    await eventually("it is ready", () => isThere(directory, "ready"));
    const family = [...withDescendants(processTable().rows(), new Set([starter.pid ?? 0]))];
    expect(family.length).toBeGreaterThanOrEqual(5);

    starter.kill("SIGKILL");
    await once(starter, "exit");

    await eventually("all are gone", () => family.every((pid) => !isAlive(pid)));
  });

  test("an emptied directory is empty, may be written, and keeps nothing", async () => {
    const directory = await openDirectory();
    await files(directory, { "hidden/task.json": "secret" });
    const mounts: Mount[] = [{ is: "empty", at: join(directory, "hidden") }];

    const tree = await start(make, "ls -A hidden; echo mine > hidden/new; cat hidden/new", { directory, mounts });

    expect(await streamed(tree.child.stdout)).toBe("mine\n");
    expect(await isThere(directory, "hidden/new")).toBe(false);
    expect(await readFile(join(directory, "hidden/task.json"), "utf8")).toBe("secret");
  });

  test("files and directories of a hidden directory can be shown in it, to read", async () => {
    const directory = await openDirectory();
    await files(directory, {
      "hidden/task.json": "secret",
      "hidden/a b/output.md": "text",
      "hidden/outputs/1.md": "one",
    });
    const hidden = join(directory, "hidden");
    const shown = ["a b/output.md", "outputs", "missing"].map((name) => join(hidden, name));
    const mounts: Mount[] = [
      { is: "empty", at: hidden },
      ...shown.map((path) => ({ is: "bind", from: path, at: path, writable: false }) as const),
      { is: "link", at: join(hidden, "latest"), to: "outputs/1.md" },
    ];
    const script =
      "cat 'hidden/a b/output.md' hidden/latest; ls hidden; echo x > 'hidden/a b/output.md'; echo x > hidden/outputs/2.md";

    const tree = await start(make, script, { directory, mounts, folder: join(hidden, "outputs") });
    const [out, err] = await Promise.all([streamed(tree.child.stdout), streamed(tree.child.stderr)]);

    expect(out).toBe("textonea b\nlatest\noutputs\n");
    expect(err.match(/Read-only file system/g)).toHaveLength(2);
  });

  test("a directory stands at the place of another, which is not there any more", async () => {
    const directory = await openDirectory();
    await files(directory, { "project/a.txt": "workspace", "rooms/1/a.txt": "room", "rooms/2/b.txt": "other" });
    const [project, rooms] = [join(directory, "project"), join(directory, "rooms")];
    const mounts: Mount[] = [
      { is: "empty", at: rooms },
      { is: "bind", from: join(rooms, "1"), at: project, writable: true },
    ];

    const tree = await start(make, "cat a.txt; ls ../rooms; echo new > made.txt", { directory: project, mounts });

    expect(await streamed(tree.child.stdout)).toBe("room");
    expect(await isThere(directory, "rooms/1/made.txt")).toBe(true);
    expect(await isThere(directory, "project/made.txt")).toBe(false);
  });

  test("a file may look empty, and a part of a directory may be written where the rest may not", async () => {
    const directory = await openDirectory();
    await files(directory, { "task.yaml": "secret", nothing: "", "home/.bashrc": "x", "home/.cache/old": "x" });
    const home = join(directory, "home");
    const mounts: Mount[] = [
      { is: "bind", from: join(directory, "nothing"), at: join(directory, "task.yaml"), writable: false },
      { is: "bind", from: home, at: home, writable: false },
      { is: "bind", from: join(home, ".cache"), at: join(home, ".cache"), writable: true },
    ];

    const tree = await start(make, "cat task.yaml; echo x > home/.cache/new; echo y >> home/.bashrc", {
      directory,
      mounts,
    });
    const [out, err] = await Promise.all([streamed(tree.child.stdout), streamed(tree.child.stderr)]);

    expect(out).toBe("");
    expect(err).toMatch(/Read-only file system/);
    expect(await isThere(directory, "home/.cache/new")).toBe(true);
  });

  test("the mounts cannot be taken away, by root neither", async () => {
    const directory = await openDirectory();
    await files(directory, { "hidden/task.json": "secret" });
    const mounts: Mount[] = [{ is: "empty", at: join(directory, "hidden") }];
    const script =
      "umount hidden; umount -l hidden; unshare -rm umount -l hidden; mount --rbind / /mnt; cat hidden/task.json /mnt/$PWD/hidden/task.json";

    const tree = await start(make, `(${script}) 2>/dev/null; echo end`, { directory, mounts });

    expect(await streamed(tree.child.stdout)).toBe("end\n");
  });

  test("paths may hold any characters, and lead through links", async () => {
    const directory = await openDirectory();
    const name = "a 'b' \"c\" \\ # $x é\n日本";
    await files(directory, { [`${name}/hidden/secret`]: "x", [`${name}/hidden/shown`]: "shown" });
    await symlink(join(directory, name), join(directory, "link"));
    const hidden = join(directory, "link", "hidden");
    const mounts: Mount[] = [
      { is: "empty", at: hidden },
      { is: "bind", from: join(hidden, "shown"), at: join(hidden, "shown"), writable: false },
    ];

    const tree = await start(make, "ls hidden; cat hidden/shown", { directory: join(directory, name), mounts });

    expect(await streamed(tree.child.stdout)).toBe("shown\nshown");
  });
}

interface StartOptions {
  /** Where the sandbox keeps files of its own. */
  folder?: string;
  args?: string[];
  directory?: string;
  mounts?: Mount[];
}

async function start(
  make: MakeSandbox,
  script: string,
  options: StartOptions = {},
): Promise<Tree & { directory: string }> {
  const { args = [], directory = await openDirectory(), mounts = [] } = options;
  const sandbox = make(options.folder ?? (await openDirectory()));
  const tree = startTree({
    command: "bash",
    args: ["-c", script, "e8", ...args],
    cwd: directory,
    environment: { ...process.env, HOME: directory, MINE: "mine" },
    task_token: randomUUID(),
    stdin: "pipe",
    stderr: "pipe",
    space: { enclose: (program) => sandbox.enclose(program, { mounts }) },
  });
  onTestFinished(() => endTree(tree, 0));
  return Object.assign(tree, { directory });
}

/** Also for programs that run as another user than the test. */
async function openDirectory(): Promise<string> {
  const directory = await temporaryDirectory(await openPlace());
  await chmod(directory, 0o777);
  return directory;
}

async function files(directory: string, texts: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(texts)) {
    const file = join(directory, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, content);
    for (let one = file; one !== directory; one = join(one, "..")) await chmod(one, 0o777);
  }
}

async function isThere(directory: string, name: string): Promise<boolean> {
  return readFile(join(directory, name)).then(
    () => true,
    () => false,
  );
}

async function streamed(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream ? text(stream) : "";
}

/** The processes of a tree, as soon as it has written the file. */
async function aliveBefore(tree: Tree & { directory: string }, file: string): Promise<number[]> {
  await eventually(`${file} is there`, () => isThere(tree.directory, file));
  return [...withDescendants(processTable().rows(), new Set([tree.child.pid ?? 0]))];
}

function survivors({ child }: Tree): number[] {
  return [...withDescendants(processTable().rows(), new Set([child.pid ?? 0]))].filter(isAlive);
}

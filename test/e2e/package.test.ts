import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);

const LIBRARY = `
import { E8Error, run } from "endless8";

const task = { task: "Say hello", criteria: [{ type: "command", command: "test -f hello.txt" }], agent: { command: "echo hello > hello.txt" } };
const result = await run(task, { project: process.argv[2] });
const refusal = await run({ task: "x" }).catch((error) => error);
console.log(result.status, result.iterations_used, refusal instanceof E8Error && refusal.code);
`;

const TYPED = `
import { type LoopResult, type RunEvent, type TaskInput, run, stream } from "endless8";

const task: TaskInput = { task: "Say hello", criteria: ["it was said", { type: "command", command: "true" }], max_iterations: 3 };
const result: LoopResult = await run(task, { onProgress: (event: RunEvent) => void event.type });
const reason: "criteria_met" | string = result.stop_reason;
for await (const event of stream(task)) if (event.type === "judgment") reason.concat(event.judgment.overall_reason);
// @ts-expect-error a task is a text
await run({ task: 3 });
`;

test("[FR-024] the package, installed into an empty folder, works there: command line, demo, library and types", async () => {
  const box = await sandbox();
  const folder = await installed(box);
  const here = { cwd: folder, env: box.env };
  await writeFile(join(folder, "library.mjs"), LIBRARY);
  await writeFile(join(folder, "typed.mts"), TYPED);

  const version = await execute("npx", ["--no-install", "e8", "--version"], here);
  const demo = await execute("npx", ["--no-install", "e8", "demo", "--json"], here);
  const database = await execute(
    "npx",
    ["--no-install", "e8", "list", "--store", "postgres://db.example/x"],
    here,
  ).catch((failure) => failure);
  const library = await execute(process.execPath, ["library.mjs", box.project], here);
  const types = await execute(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), ...STRICT, "typed.mts"],
    here,
  ).catch((failure) => failure); // tsc tells on its output what is wrong

  const { version: packed } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(version.stdout).toBe(`${packed}\n`);
  expect(JSON.parse(demo.stdout)).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(await isThere(join(folder, "node_modules/pg"))).toBe(false); // only those who have a database install its driver
  expect(await isThere(join(folder, "node_modules/bullmq"))).toBe(false); // and only those who have workers a queue
  expect(database).toMatchObject({ code: 2, stderr: expect.stringContaining("npm install -g pg") });
  expect(library).toEqual({ stdout: "completed 1 criteria_missing\n", stderr: "" }); // the library itself prints nothing
  expect(types).toMatchObject({ stdout: "", stderr: "" });
});

test("what is built comes from what is there now: a file whose source is gone is not packed", async () => {
  const built = (await readdir(join(ROOT, "dist"), { recursive: true })).filter((file) => /\.(js|d\.ts)$/.test(file));
  const sources = await readdir(join(ROOT, "src"), { recursive: true });

  const library = built
    .filter((file) => !/^(e8|dashboard)\//.test(file))
    .map((file) => file.replace(/(\.d)?\.[jt]s$/, ".ts"));

  expect(library).not.toEqual([]);
  expect(library.filter((file) => !sources.includes(file))).toEqual([]);
});

const STRICT = [
  "--noEmit",
  "--strict",
  "--module",
  "nodenext",
  "--target",
  "es2023",
  "--types",
  "node",
  "--skipLibCheck",
];

/**
 * What `npm install endless8` would make, from what `npm ci` has already brought to this machine: the versions of our own
 * lock file, out of npm's cache, the registry being asked only for what is not there. Optional packages are programs for
 * each platform, hundreds of megabytes large: those of this machine are linked instead of unpacked once more.
 */
async function installed({ home, env }: Sandbox): Promise<string> {
  const folder = join(home, "an empty folder");
  await mkdir(folder);
  const { stdout } = await execute("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const { manifest, lock } = await lockFor(stdout.trim());
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  await execute("npm", ["ci", "--prefer-offline", "--omit=optional", ...quiet], {
    cwd: folder,
    env: { ...process.env, TMPDIR: env.TMPDIR },
  });
  await link(folder, [...Object.keys(lock.packages), ...TYPES_OF_NODE]);
  return folder;
}

interface Lock {
  packages: Record<string, Record<string, unknown>>;
}

/** The lock file of a project that depends on the tarball and nothing else. */
async function lockFor(tarball: string) {
  const ours = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const { devDependencies: _, ...endless8 } = ours.packages[""] ?? {};
  const needed = Object.entries(ours.packages).filter(([path, entry]) => path !== "" && entry.dev !== true);
  const manifest = { name: "empty", version: "1.0.0", private: true, dependencies: { endless8: `file:${tarball}` } };
  const packages: Lock["packages"] = {
    "": manifest,
    "node_modules/endless8": { ...endless8, resolved: `file:${tarball}` },
    ...Object.fromEntries(needed),
  };
  return { manifest, lock: { name: "empty", version: "1.0.0", lockfileVersion: 3, requires: true, packages } };
}

/** Which whoever writes TypeScript for Node has. */
const TYPES_OF_NODE = ["node_modules/@types/node", "node_modules/undici-types"];

async function link(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths.filter((name) => name !== "")) {
    const [ours, theirs] = [join(ROOT, path), join(folder, path)];
    if ((await isThere(ours)) && !(await isThere(theirs))) {
      await mkdir(dirname(theirs), { recursive: true });
      await symlink(ours, theirs);
    }
  }
}

async function isThere(directory: string): Promise<boolean> {
  return readdir(directory).then(
    () => true,
    () => false,
  );
}

import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);
const NOBODY = 65_534;

test("[FR-024] `npm install --global <git url>` puts e8 on the PATH, also for users who may not write there", async () => {
  const box = await sandbox();
  const place = await placeForAll();
  const prefix = await installedFromGit(box, place);
  const env = { ...box.env, PATH: `${join(prefix, "bin")}:${box.env.PATH}` };

  const version = await execute("e8", ["--version"], { cwd: box.project, env });
  const byNobody = await doctorOfNobody(box, { place, prefix });
  const run = await execute("e8", RUN, { cwd: box.project, env });

  const { version: ours } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(version.stdout).toBe(`${ours}\n`);
  expect(byNobody).toMatch(/✔ Node /);
  expect(JSON.parse(run.stdout)).toMatchObject({ status: "completed", iterations_used: 1 });
});

test("the first `npx e8` in a clone does not build again what `npm ci` has built", async () => {
  const { home, env } = await sandbox();
  const built = () => stat(join(ROOT, "dist", "e8", "main.cjs")).then(({ mtimeMs }) => mtimeMs);
  const before = await built();

  const { stdout } = await execute("npx", ["e8", "--version"], { cwd: ROOT, env: { ...env, npm_config_cache: home } });

  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await built()).toBe(before);
});

test("package.json leads from the installed package to its repository, and asks npm for nothing that breaks the above", async () => {
  const { repository, homepage, bugs, scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

  expect(repository.url).toBe("git+https://github.com/endless8/endless8.git");
  expect([homepage, bugs]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/\/issues$/)]);
  // With any of these, npm installs a clone globally before it packs it, and leaves a link to a deleted folder: npm/cli#8440.
  for (const name of ["build", "prepare", "prepack", "preinstall", "install", "postinstall"])
    expect(scripts).not.toHaveProperty(name);
});

const RUN = ["run", "Say hello", "--check", "test -f hello.txt", "--agent-command", "echo hello > hello.txt", "--json"];

/** From a repository with the files as they are now, into an empty home, with npm set up as on this machine. */
async function installedFromGit({ home }: Sandbox, place: string): Promise<string> {
  const [repository, prefix] = [join(home, "endless8.git"), join(place, "prefix")];
  await commitInto(repository);
  const [cache, userconfig] = await Promise.all(["cache", "userconfig"].map(npmSetting));
  const env = { ...process.env, HOME: home, npm_config_cache: cache, npm_config_userconfig: userconfig };
  const url = `git+file://${encodeURI(repository)}`;
  await mkdir(prefix);
  await execute("npm", ["install", "--global", "--prefer-offline", "--prefix", prefix, url], { cwd: home, env });
  return prefix;
}

async function commitInto(repository: string): Promise<void> {
  const git = (...words: string[]) => execute("git", [...IDENTITY, ...words], { cwd: ROOT });
  const into = [`--git-dir=${repository}`, `--work-tree=${ROOT}`];
  await git("init", "--quiet", "--bare", repository);
  await git(...into, "add", "--all");
  await git(...into, "commit", "--quiet", "--message", "now");
}

const IDENTITY = [
  "user.name=Test",
  "user.email=test@example.invalid",
  "commit.gpgsign=false",
  "core.bare=false",
].flatMap((setting) => ["-c", setting]);

async function npmSetting(name: string): Promise<string> {
  return (await execute("npm", ["config", "get", name], { cwd: ROOT })).stdout.trim();
}

/** A directory that every user can reach: the one for temporary files may be closed to others. */
async function placeForAll(): Promise<string> {
  const place = await mkdtemp("/tmp/e8 install ");
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await chmod(place, 0o755);
  return place;
}

/** The first start of all, by a user who can only read the installation, as after `sudo npm install`. */
async function doctorOfNobody({ env }: Sandbox, { place, prefix }: { place: string; prefix: string }): Promise<string> {
  const [own, installed] = [join(place, "nobody"), join(prefix, "lib", "node_modules", "endless8")];
  await mkdir(own);
  await chmod(own, 0o777);
  await chmod(installed, 0o555);
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const options = { cwd: own, env: { ...env, HOME: own, TMPDIR: own, XDG_CACHE_HOME: undefined }, ...who };
  const { stdout, stderr } = spawnSync(process.execPath, [join(prefix, "bin", "e8"), "doctor"], options);
  expect(await readdir(join(own, ".cache", "endless8")), stderr.toString()).toHaveLength(1);
  await chmod(installed, 0o755);
  return stdout.toString();
}

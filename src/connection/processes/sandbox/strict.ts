import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../../model/environment.ts";
import { E8Error } from "../../../model/errors.ts";
import { PACKAGE } from "../../files.ts";
import type { Mount, Network, Program, Sandbox, View } from "../../ports/sandbox.ts";
import { ownIdentity } from "../../stores/files/process-identity.ts";
import { startFilteringProxy } from "../network/proxy.ts";
import { chooseSandbox } from "./choose.ts";
import { cachesIn, hiddenIn, passedIn } from "./credential-files.ts";
import { isWithin, kindOf } from "./paths.ts";
import type { Spaces } from "./spaces.ts";
import { checkView, homeOf, type RunPlaces, roomView, workerView } from "./views.ts";

/** What a strict sandbox leaves open. */
export interface Access {
  /** Patterns of the hosts that a worker may reach. */
  worker_hosts: readonly string[];
  /** The same for checks. */
  check_hosts: readonly string[];
  /** Directories that are made where they are missing: an agent cannot make them inside. */
  made: readonly string[];
  /** Paths that a worker may write besides its workspace: the files of its agent. */
  writable: readonly string[];
  /** Paths below those that it may only read. One that is among those itself is private: what is made in it is gone with the program. */
  readable: readonly string[];
  /** Paths in HOME that stay visible although they hold credentials. */
  kept: readonly string[];
  /** Logins that stay, by the names of `pass_credentials`. */
  pass_credentials: readonly string[];
  /** What a program is told that asks for another host. */
  refusal: (host: string) => string;
}

/** Throws where a strict sandbox cannot be had: there is nothing weaker in its place. */
export async function requireStrict(environment: Environment): Promise<Sandbox> {
  const views: View[] = [{ mounts: [], is_read_only: true, network: "none" }];
  const { sandbox, problem } = await chooseSandbox({ folder: tmpdir(), views, environment, adapter: "bubblewrap" });
  if (problem) throw new E8Error("strict_unavailable", { problem });
  return sandbox;
}

/**
 * Spaces that only read, but for the workspace, temporary files and caches; without credentials; with a network that leads to named hosts
 * only, or to none.
 */
export async function strictSpaces(places: RunPlaces, access: Access): Promise<Spaces> {
  const sandbox = await requireStrict(places.environment);
  for (const path of access.made) mkdirSync(path, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "e8-")); // removed by a later run if this one is killed
  writeFileSync(join(folder, OWNER), JSON.stringify(await ownIdentity()));
  const nothing = join(folder, "nothing");
  writeFileSync(nothing, "");
  const worker = await openNetwork(join(folder, "worker"), access.worker_hosts, access.refusal);
  const check = await openNetwork(join(folder, "check"), access.check_hosts, access.refusal);
  const kept = [...access.kept, ...passedIn(homeOf(places), access.pass_credentials)];
  const closed = closedMounts(places, { nothing, kept });
  const space = (view: (program: Program) => View) => ({
    enclose: (program: Program) => sandbox.enclose(program, { ...view(program), is_read_only: true }),
  });
  const inWorkspace = [...closed.first, ...closed.hidden, ...workspaceMounts(places)];
  return {
    use: { level: "strict", adapter: sandbox.adapter },
    worker: space((program) => ({
      mounts: [...inWorkspace, ...agentMounts(program, access), ...workerView(places).mounts],
      network: worker.network,
    })),
    check: space(() => ({ mounts: [...inWorkspace, ...checkView(places).mounts], network: check.network })),
    room(place) {
      const { directory, mounts } = roomView(places, place);
      const own = mounts.filter((mount) => !isShared(mount, closed.emptied));
      const view = { mounts: [...closed.first, ...own, ...closed.hidden], network: check.network };
      return { space: space(() => view), directory };
    },
    async close() {
      await Promise.all([worker.close(), check.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface OpenNetwork {
  network: Network;
  close(): Promise<void>;
}

async function openNetwork(
  socket: string,
  hosts: readonly string[],
  refusal: (host: string) => string,
): Promise<OpenNetwork> {
  if (hosts.length === 0) return { network: "none", close: async () => {} };
  const proxy = await startFilteringProxy({ socket, hosts, refusal });
  return { network: { socket, hosts }, close: proxy.close };
}

/** Directories with sockets of the user's other programs, and with files that anybody could have left for the worker. */
const EMPTIED = ["/run", "/var/run", "/tmp", "/var/tmp", "/dev/shm"];
/** Programs of some systems lie there. */
const KEPT_IN_RUN = ["/run/current-system", "/run/opengl-driver", "/run/wrappers"];

interface Closing {
  /** An empty file. */
  nothing: string;
  kept: readonly string[];
}

interface Closed {
  /** The directories that are seen empty. */
  emptied: string[];
  /** Mounts that come first: empty directories, and what stays in them. */
  first: Mount[];
  /** Mounts that come after those of HOME: its credentials. */
  hidden: Mount[];
}

function closedMounts(places: RunPlaces, { nothing, kept }: Closing): Closed {
  const { environment } = places;
  const home = homeOf(places);
  const named = [...EMPTIED, ...(environment.TMPDIR ? [environment.TMPDIR] : [])];
  const real = new Set(named.flatMap((path) => (existsSync(path) ? [realpathSync(path)] : [])));
  const emptied = [...real].filter((path) => path !== home);
  return {
    emptied,
    first: [
      ...emptied.filter((path) => !isWithin(home, path)).map(empty),
      ...KEPT_IN_RUN.map((path) => bound(path, false)),
      ...ownPrograms()
        .filter((path) => emptied.some((one) => isWithin(one, path)))
        .map((path) => bound(path, false)),
      ...(emptied.some((path) => isWithin(path, home)) ? [bound(home, false)] : []),
      ...emptied.filter((path) => isWithin(home, path)).map(empty),
      ...cachesIn(home, environment).map((path) => bound(path, true)),
    ],
    hidden: hiddenIn(home, environment, kept).map((at) =>
      kindOf(at) === "directory" ? empty(at) : { is: "bind", from: nothing, at, writable: false },
    ),
  };
}

/** Node and this package, with the agent that comes with it: they may be installed in a temporary directory. */
function ownPrograms(): string[] {
  return [dirname(process.execPath), fileURLToPath(PACKAGE)].map((path) => realpathSync(path));
}

/** Sockets of other programs, which a check has otherwise, lie in temporary directories. */
function isShared(mount: Mount, emptied: readonly string[]): boolean {
  return mount.is === "bind" && mount.from === mount.at && emptied.includes(dirname(mount.at));
}

function empty(at: string): Mount {
  return { is: "empty", at };
}

function bound(path: string, writable: boolean): Mount {
  return { is: "bind", from: path, at: path, writable };
}

/** The project, and its repository where that lies elsewhere: above the project, or beside it for a worktree. */
function workspaceMounts({ project, working_directory, checkout }: RunPlaces): Mount[] {
  const directories = (checkout ? [checkout.worktree] : [project, working_directory]).flatMap((directory) => [
    directory,
    ...repositoryOf(directory),
  ]);
  return [...new Set(directories)].map((path) => bound(path, true));
}

function repositoryOf(directory: string): string[] {
  const dotGit = join(directory, ".git");
  const kind = kindOf(dotGit);
  if (kind === "directory") return [dotGit];
  if (kind === undefined) return dirname(directory) === directory ? [] : repositoryOf(dirname(directory));
  const [, path] = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8")) ?? [];
  if (path === undefined) return [];
  const own = resolve(directory, path);
  const common = join(own, "commondir");
  return existsSync(common) ? [resolve(own, readFileSync(common, "utf8").trim())] : [own];
}

/** Lies in every directory that we have made for ourselves: the user's own temporary directory has none. */
const OWNER = "owner.json";

/** A directory in which new files are the program's own, beside those that are there. */
function privateMounts(path: string): Mount[] {
  return [empty(path), ...readdirSync(path).map((name) => bound(join(path, name), false))];
}

/** The files of the agent, and the directory that was made for this one answer. */
function agentMounts({ environment }: Program, { writable, readable }: Access): Mount[] {
  const own = environment.CLAUDE_CODE_TMPDIR;
  return [
    ...writable.map((path) => bound(path, true)),
    ...readable.flatMap((path) => (writable.includes(path) ? privateMounts(path) : [bound(path, false)])),
    ...(own && existsSync(join(dirname(own), OWNER)) ? [bound(dirname(own), true)] : []),
  ];
}

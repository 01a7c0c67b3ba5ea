import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../../model/environment.ts";
import { PACKAGE } from "../../files.ts";
import type { Mount, View } from "../../ports/sandbox.ts";
import type { Place } from "../../ports/workspace.ts";
import { RECORDS_DIRECTORY } from "../../stores/files/task-paths.ts";
import { homeMounts } from "./home.ts";
import { isWithin, kindOf, withoutLinks } from "./paths.ts";

/** Where a run has the things that its worker and its checks must not reach. */
export interface RunPlaces {
  /** Has the records. */
  project: string;
  working_directory: string;
  /** The task's own folder among the records. */
  location: string;
  /** The directory of all clean rooms. */
  rooms: string;
  /** The directory with our own copies of the records, and hidden checks. */
  state: string;
  /** A file that must look empty: it has hidden checks. */
  hidden_file?: string | undefined;
  /** For a task that works in a worktree: the checkout that it must not change. */
  checkout?: OtherCheckout | undefined;
  /** For a task of a fleet: what this machine has for all of them, the task's own part of it, and the objects that it reads. */
  fleet?: { all: string; own: string; mirror: string } | undefined;
  environment: Environment;
}

interface OtherCheckout {
  top: string;
  /** What worktrees share with it: git writes there. */
  repository: string;
  worktree: string;
}

/** For a worker: no records but the texts that earlier workers handed in, no copies of them, and no clean rooms. */
export function workerView(places: RunPlaces): View {
  return {
    mounts: [
      ...ownPlace(places),
      ...keptCheckout(places),
      ...withoutRecords(places),
      ...handedIn(places),
      ...withoutOurs(places),
      ...keptProgram(places),
      ...withoutFile(places),
    ],
  };
}

/** For a check in the workspace: no records but issues kept as files, which a flow's conditions may read, and no clean rooms. */
export function checkView(places: RunPlaces): View {
  const issues = join(places.project, RECORDS_DIRECTORY, "issues");
  return {
    mounts: [
      ...ownPlace(places),
      ...keptCheckout(places),
      ...withoutRecords(places),
      shown(issues),
      ...withoutOurs(places),
      ...keptProgram(places),
      ...withoutFile(places),
    ],
  };
}

/** The part of a check's view that does not depend on the room: whether it can be had is tried before the run. */
export function homeView(places: RunPlaces): View {
  return { mounts: homeMounts(homeOf(places), places.environment) };
}

/**
 * For a check in the clean room. The room stands at the project's own path, so that absolute paths lead to the proved files. HOME may only
 * be read, but for caches; temporary files are the check's own.
 */
export function roomView(places: RunPlaces, place: Place): View & { directory: string } {
  const isInRoom = places.hidden_file !== undefined && isWithin(place.stands_for, places.hidden_file);
  const file = isInRoom ? [] : withoutFile(places); // no snapshot holds it
  const hidden = [ownPlace, withoutRecords, withoutOurs, keptProgram].flatMap((part) => part(places)).concat(file);
  const origin: Mount = { is: "bind", from: place.origin, at: place.origin, writable: false };
  if (!canStandIn(places, place)) {
    const itself: Mount = { is: "bind", from: place.root, at: place.root, writable: true };
    return { mounts: [...hidden, itself, origin], directory: place.directory };
  }
  const { stands_for, root } = place;
  return {
    mounts: [
      ...homeView(places).mounts,
      ...temporaryMounts(places, place),
      ...hidden,
      origin,
      { is: "bind", from: root, at: stands_for, writable: true },
    ],
    directory: join(stands_for, relative(root, place.directory)),
  };
}

/** A project that holds the user's home or the rooms would take them away from its checks. */
function canStandIn({ rooms, ...places }: RunPlaces, { stands_for }: Place): boolean {
  return ![homeOf(places), rooms].some((path) => isWithin(stands_for, path));
}

export function homeOf({ environment }: Pick<RunPlaces, "environment">): string {
  return withoutLinks(environment.HOME || homedir());
}

/** The user's checkout can be read, and so can its repository be written: commits belong there. */
export function keptCheckout({ checkout }: RunPlaces): Mount[] {
  return checkout ? [shown(checkout.top), passed(checkout.repository), passed(checkout.worktree)] : [];
}

/** Other tasks of the fleet are not there, and the machine's copy of the repository, from which it pushes, can only be read. */
function ownPlace({ fleet }: RunPlaces): Mount[] {
  return fleet ? [{ is: "empty", at: fleet.all }, passed(fleet.own), shown(fleet.mirror)] : [];
}

function withoutRecords({ project, working_directory }: RunPlaces): Mount[] {
  const directories = new Set([project, working_directory].map((path) => join(path, RECORDS_DIRECTORY)));
  return [...directories].map((at) => ({ is: "empty", at }));
}

function withoutOurs({ rooms, state }: RunPlaces): Mount[] {
  return [rooms, state].map((at) => ({ is: "empty", at }));
}

/** This program judges the work. Where the project is its own source, or has it among its dependencies, it is part of the work. */
function keptProgram({ project, working_directory }: RunPlaces): Mount[] {
  const places = [project, working_directory].map(withoutLinks);
  const isWork = places.some((path) => isWithin(path, PROGRAM) || isWithin(PROGRAM, path));
  return isWork ? [] : [shown(PROGRAM)];
}

const PROGRAM = fileURLToPath(new URL(".", PACKAGE)).replace(/\/$/, "");

/** A file that is empty stands in its place. */
function withoutFile({ hidden_file, location }: RunPlaces): Mount[] {
  if (hidden_file === undefined || kindOf(hidden_file) !== "file") return [];
  const nothing = join(location, "nothing");
  writeFileSync(nothing, "");
  return [{ is: "bind", from: nothing, at: realpathSync(hidden_file), writable: false }];
}

/** Each takes up to two mounts, and a project may have thousands of tasks. */
const MOST_TASKS = 20;

function handedIn({ project, location }: RunPlaces): Mount[] {
  const tasks = join(project, RECORDS_DIRECTORY, "tasks");
  const latest = namesIn(tasks).sort().reverse().slice(0, MOST_TASKS);
  const folders = new Set([location, ...latest.map((name) => join(tasks, name))]);
  return [...folders].flatMap((folder) => [shown(join(folder, "outputs")), shown(join(folder, "output.md"))]);
}

function shown(path: string): Mount {
  return { is: "bind", from: path, at: path, writable: false };
}

/** Temporary directories of the check's own, unless the project lies in one of them. Sockets of other programs stay. */
function temporaryMounts(places: RunPlaces, place: Place): Mount[] {
  const { environment } = places;
  const all = ["/tmp", "/var/tmp", "/dev/shm", environment.TMPDIR].flatMap((path) =>
    path && existsSync(path) ? [realpathSync(path)] : [],
  );
  const kept = [place.stands_for, homeOf(places), places.location];
  const own = [...new Set(all)].filter(
    (path) => !kept.some((one) => isWithin(path, one)) && !isWithin(place.stands_for, path),
  );
  rmSync(place.temporary, { recursive: true, force: true });
  return own.flatMap((at, index) => {
    const from = join(place.temporary, String(index));
    mkdirSync(from, { recursive: true });
    const sockets = socketsIn(at, environment);
    for (const path of sockets) makeLike(path, join(from, basename(path)));
    return [{ is: "bind", from, at, writable: true } as const, ...sockets.map(passed)];
  });
}

function passed(path: string): Mount {
  return { is: "bind", from: path, at: path, writable: true };
}

/** Databases, the agent with the user's keys, and the screen are reached through sockets in a temporary directory. */
function socketsIn(directory: string, { SSH_AUTH_SOCK }: Environment): string[] {
  const agent =
    SSH_AUTH_SOCK && dirname(dirname(SSH_AUTH_SOCK)) === directory ? [basename(dirname(SSH_AUTH_SOCK))] : [];
  const names = namesIn(directory).filter((name) => SCREENS.includes(name) || isSocket(join(directory, name)));
  return [...new Set([...names, ...agent])].map((name) => join(directory, name)).filter((path) => kindOf(path));
}

const SCREENS = [".X11-unix", ".ICE-unix"];

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}

/** A place to mount it on. */
function makeLike(path: string, at: string): void {
  if (kindOf(path) === "directory") mkdirSync(at);
  else writeFileSync(at, "");
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

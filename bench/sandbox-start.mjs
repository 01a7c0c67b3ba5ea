// What a process space of its own adds to the start of a program: for a worker, and for a check in a clean room.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { candidatesFor } from "../dist/connection/processes/sandbox/choose.js";
import { roomView, workerView } from "../dist/connection/processes/sandbox/views.js";
import { milliseconds } from "./table.mjs";
import { inTemporaryDirectory, medianOf } from "./workshop.mjs";

const TIMES = 25;
const REACH = 50;
/** A home that is in use. */
const ENTRIES = 40;

export async function sandboxStart() {
  return inTemporaryDirectory(async (directory) => {
    const { places, place } = await project(directory);
    const environment = places.environment;
    const program = { command: "true", args: [], cwd: places.project, environment };
    const views = { worker: workerView(places), "check in a clean room": roomView(places, place) };
    const working = candidatesFor({ folder: places.location }).filter((sandbox) => runs(line(sandbox, "worker")));
    const first = working.filter(({ adapter }, index) => index === working.findIndex((one) => one.adapter === adapter));
    function line(sandbox, kind) {
      return sandbox.enclose(program, views[kind]);
    }
    return first.flatMap((sandbox) =>
      Object.keys(views).map((kind) => row(sandbox.adapter, kind, line(sandbox, kind))),
    );
  });
}

/** In turns with the bare program. */
function row(adapter, kind, line) {
  const times = Array.from({ length: TIMES }, () => ({ inside: timeOf(line), bare: timeOf(["true"]) }));
  const [inside, bare] = [medianOf(times, "inside"), medianOf(times, "bare")];
  const beside = `${(inside / bare).toFixed(1)} × the program alone, ${bare.toFixed(1)} ms`;
  const program = adapter === "namespaces" ? "unshare" : adapter;
  return { ...milliseconds(`start of a ${kind} in its own space (${program})`, inside - bare, REACH), beside };
}

function timeOf([command, ...args]) {
  const began = performance.now();
  if (!runs([command, ...args])) throw new Error(`${command} failed`);
  return performance.now() - began;
}

function runs([command, ...args]) {
  return spawnSync(command, args, { cwd: "/", stdio: "ignore" }).status === 0;
}

async function project(directory) {
  const home = join(directory, "home");
  const [own, rooms] = [join(home, "code", "project"), join(home, ".cache", "endless8", "rooms")];
  const location = join(own, ".e8", "tasks", "2026-01-23T13-30-00");
  const [root, origin] = [join(rooms, "room", "project"), join(rooms, "room", "objects")];
  for (const path of [join(location, "outputs"), root, origin]) await mkdir(path, { recursive: true });
  await writeFile(join(location, "output.md"), "text");
  for (let index = 0; index < ENTRIES / 2; index++) {
    await mkdir(join(home, `.tool-${index}`));
    await writeFile(join(home, `.toolrc-${index}`), "");
  }
  const environment = { PATH: process.env.PATH, HOME: home };
  return {
    places: { project: own, working_directory: own, location, rooms, environment },
    place: { directory: root, root, stands_for: own, origin, temporary: join(rooms, "room", "tmp") },
  };
}

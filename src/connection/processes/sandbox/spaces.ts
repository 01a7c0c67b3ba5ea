import { mkdirSync } from "node:fs";
import type { SandboxLevel, SandboxUse } from "../../../model/sandbox.ts";
import type { Sandbox, Space, View } from "../../ports/sandbox.ts";
import type { Place } from "../../ports/workspace.ts";
import { candidatesFor, chooseSandbox, noSandbox } from "./choose.ts";
import type { Access } from "./strict.ts";
import { checkView, homeView, type RunPlaces, roomView, workerView } from "./views.ts";

/** Where the programs of a run are started. */
export interface Spaces {
  use: SandboxUse;
  worker: Space;
  /** For checks in the workspace. */
  check: Space;
  /** For a check in a clean room, and the directory that it starts in. */
  room(place: Place): { space: Space; directory: string };
  /** Ends what was started for them. No program is started in them afterwards. */
  close?(): Promise<void>;
}

/** A strict sandbox that leads nowhere. */
const CLOSED: Access = {
  ...{ worker_hosts: [], check_hosts: [], pass_credentials: [] },
  ...{ made: [], writable: [], readable: [], kept: [] },
  refusal: (host) => host,
};

/** The spaces of a run whose sandbox is still tried. */
export interface Opening {
  /** What only gets ready may start in them at once, in the sandbox that is tried first. They are the chosen ones once `tried` has settled. */
  spaces: Spaces;
  tried: Promise<void>;
}

export async function openingSpaces(level: SandboxLevel, places: RunPlaces, access?: Access): Promise<Opening> {
  const [first] = level === "contain" ? candidatesFor({ folder: places.location }) : [];
  if (!first) return { spaces: await spacesOf(level, places, access), tried: Promise.resolve() };
  let current = spacesIn(first, { level, adapter: first.adapter }, places);
  const tried = spacesOf(level, places).then((chosen) => {
    current = chosen;
  });
  const spaces: Spaces = {
    get use() {
      return current.use;
    },
    worker: { enclose: (program) => current.worker.enclose(program) },
    check: { enclose: (program) => current.check.enclose(program) },
    room: (place) => current.room(place),
  };
  return { spaces, tried };
}

/** Chooses the sandbox of a run, once: the best one that works here. */
export async function spacesOf(level: SandboxLevel, places: RunPlaces, access: Access = CLOSED): Promise<Spaces> {
  if (level === "off") return spacesIn(noSandbox, { level, adapter: "none" }, places);
  makeOurs(places);
  // Loaded lazily: few runs have a network of their own.
  if (level === "strict") return (await import("./strict.ts")).strictSpaces(places, access);
  const { location: folder, environment } = places;
  const views = [workerView(places), homeView(places)];
  const { sandbox, problem } = await chooseSandbox({ folder, views, environment });
  return spacesIn(sandbox, { level, adapter: sandbox.adapter, ...(problem && { problem }) }, places);
}

/** A directory that is not there cannot be hidden: a worker could make it, and put a room of its own there. */
function makeOurs({ rooms, state }: RunPlaces): void {
  try {
    for (const path of [rooms, state]) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // Then there is nothing in it either.
  }
}

function spacesIn(sandbox: Sandbox, use: SandboxUse, places: RunPlaces): Spaces {
  if (sandbox.adapter === "none") return openSpaces(use);
  const space = (view: () => View): Space => ({ enclose: (program) => sandbox.enclose(program, view()) });
  return {
    use,
    worker: space(() => workerView(places)),
    check: space(() => checkView(places)),
    room(place) {
      const { directory, ...view } = roomView(places, place);
      return { space: space(() => view), directory };
    },
  };
}

/** Programs run as the user. */
function openSpaces(use: SandboxUse): Spaces {
  const space: Space = { enclose: () => undefined };
  return { use, worker: space, check: space, room: ({ directory }) => ({ space, directory }) };
}

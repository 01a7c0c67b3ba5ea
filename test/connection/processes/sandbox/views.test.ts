import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Place } from "../../../../src/connection/ports/workspace.ts";
import { type Spaces, spacesOf } from "../../../../src/connection/processes/sandbox/spaces.ts";
import type { RunPlaces } from "../../../../src/connection/processes/sandbox/views.ts";
import { write } from "../../../support/repository.ts";
import { hasSpaces } from "../../../support/spaces.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

interface World {
  spaces: Spaces;
  places: RunPlaces;
  home: string;
  project: string;
  place: Place;
  environment: NodeJS.ProcessEnv;
}

const PROGRAM = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/, "");

async function world(): Promise<World> {
  const home = await temporaryDirectory();
  const [project, rooms] = [join(home, "code", "my project"), join(home, ".cache", "endless8", "rooms")];
  const location = join(project, ".e8", "tasks", "one");
  await write(home, {
    ".npmrc": "x=1\n",
    ".cache/old": "old",
    ".config/git/config": "",
    ".config/configstore/a.json": "{}",
    "code/other/a.txt": "other",
    "code/my project/a.txt": "workspace",
    "code/my project/.e8/tasks/one/task.json": "secret",
    "code/my project/.e8/tasks/one/output.md": "handed in",
    "code/my project/.e8/issues/1.md": "issue",
    ".cache/endless8/rooms/1/my project/a.txt": "room",
    ".cache/endless8/rooms/1/index": "",
    "git/config": "settings",
    "tmp/left": "by another",
  });
  await symlink(join(home, "code"), join(home, "link"));
  await symlink(join(home, "git"), join(rooms, "1", "origin"));
  const environment = { ...process.env, HOME: home, TMPDIR: join(home, "tmp") };
  const root = join(rooms, "1", "my project");
  const [origin, temporary] = [join(rooms, "1", "origin"), join(rooms, "1", "tmp")];
  const nothing = async () => {};
  const actions = {
    needs_setup: false,
    prepared: nothing,
    add: nothing,
    verifySpace: nothing,
    putBack: nothing,
    release: nothing,
  };
  const place = { directory: root, root, stands_for: project, origin, temporary, ...actions };
  const state = join(home, ".local", "state", "endless8");
  const places = { project, working_directory: project, location, rooms, state, environment };
  const spaces = await spacesOf("contain", places);
  return { spaces, places, home, project, place, environment };
}

/** What a script says in a space, and how it ends. */
function said(space: Spaces["worker"], cwd: string, { environment }: World, script: string): string {
  const [command = "", ...args] = space.enclose({ command: "bash", args: ["-c", script], cwd, environment }) ?? [];
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: "/", env: environment, encoding: "utf8" });
  return `${stdout}${stderr}${status}`;
}

describe.skipIf(!hasSpaces())("in a space of this machine", () => {
  test("a worker has the workspace and the texts of earlier workers, and the rest of HOME as it is", async () => {
    const all = await world();
    const script =
      "cat a.txt .e8/tasks/one/output.md; find .e8 -type f; ls ~/.cache/endless8/rooms; echo y >> ~/.npmrc";

    expect(said(all.spaces.worker, all.project, all, script)).toBe("workspacehanded in.e8/tasks/one/output.md\n0");
    expect(await readFile(join(all.home, ".npmrc"), "utf8")).toBe("x=1\ny\n");
  });

  test("a check in the workspace has no records but issues", async () => {
    const all = await world();
    expect(said(all.spaces.check, all.project, all, "cat a.txt; find .e8 -type f; echo x > b.txt")).toBe(
      "workspace.e8/issues/1.md\n0",
    );
  });

  test("a check in the room has it at the project's path, and reaches the user's git directory", async () => {
    const all = await world();
    const { space, directory } = all.spaces.room(all.place);
    expect(directory).toBe(all.project);
    const script = `cat a.txt ~/link/my\\ project/a.txt ../other/a.txt '${all.place.origin}/config'; ls -A ~/.cache/endless8/rooms/1; ls -A`;

    expect(said(space, directory, all, script)).toBe("roomroomothersettingsorigin\na.txt\n0");
  });

  test("a check in the room reads HOME, writes caches and new files, and has temporary files of its own", async () => {
    const all = await world();
    const { space, directory } = all.spaces.room(all.place);
    const script = [
      "for file in .npmrc .config/git/config code/other/a.txt; do echo y 2>/dev/null >> ~/$file && echo changed $file; done",
      'for file in .cache/old .config/configstore/a.json .new .tool/new; do mkdir -p "$HOME/$(dirname $file)"; echo y >> ~/$file || echo refused $file; done',
      'ls -A "$TMPDIR"; echo mine > "$TMPDIR/mine"; cat "$TMPDIR/mine"; echo made > made.txt',
    ].join("\n");

    expect(said(space, directory, all, script).replace(/.*Read-only file system\n/g, "")).toBe("mine\n0");
    expect(await readFile(join(all.home, ".cache/old"), "utf8")).toBe("oldy\n");
    expect([".new", "tmp/mine", "code/my project/made.txt"].filter((path) => existsSync(join(all.home, path)))).toEqual(
      [],
    );
    expect(existsSync(join(all.place.root, "made.txt"))).toBe(true);
  });

  test("nothing that runs for a task changes the program that judges it", async () => {
    const all = await world();
    const room = all.spaces.room(all.place);
    const script = `echo x > '${PROGRAM}/bin/changed' || echo refused; cat '${PROGRAM}/package.json' | head -c 1`;
    const spaces = [
      [all.spaces.worker, all.project],
      [all.spaces.check, all.project],
      [room.space, room.directory],
    ] as const;

    const each = spaces.map(([space, directory]) => said(space, directory, all, script));

    await rm(join(PROGRAM, "bin/changed"), { force: true });
    expect(each).toEqual(each.map(() => expect.stringMatching(/^refused\n\{.*Read-only file system\n0$/s)));
  });

  test("where the program is the work, a worker changes it", async () => {
    const all = await world();
    const places = { ...all.places, project: PROGRAM, working_directory: PROGRAM };
    const { worker } = await spacesOf("contain", places);

    expect(said(worker, PROGRAM, all, "touch bin && echo touched")).toBe("touched\n0");
  });

  test("a project that holds the user's home keeps it: its room stands where it is", async () => {
    const all = await world();
    await mkdir(join(all.home, ".e8"));
    const { space, directory } = all.spaces.room({ ...all.place, stands_for: all.home });

    expect(directory).toBe(all.place.directory);
    expect(said(space, directory, all, "cat a.txt; ls ~/code")).toBe("roommy project\nother\n0");
  });
});

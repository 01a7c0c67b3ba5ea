import type { Mount, Sandbox } from "../../ports/sandbox.ts";
import { resolved } from "./paths.ts";

/** Root inside could otherwise unmount what hides a directory. */
const BASIS = [
  ...["--dev-bind", "/", "/"],
  ...["--proc", "/proc"],
  "--unshare-pid",
  "--die-with-parent",
  ...["--cap-drop", "CAP_SYS_ADMIN"],
];

/** `program`: the path of bwrap. `extra`: options that this machine needs besides. */
export function bubblewrap(program: string, extra: readonly string[] = []): Sandbox {
  return {
    adapter: "bubblewrap",
    enclose: ({ command, args, cwd }, { mounts }) => [
      program,
      ...BASIS,
      ...extra,
      ...resolved(mounts).flatMap(optionsFor),
      ...["--chdir", cwd, "--"],
      command,
      ...args,
    ],
  };
}

function optionsFor(mount: Mount): string[] {
  if (mount.is === "empty") return ["--tmpfs", mount.at];
  if (mount.is === "link") return ["--symlink", mount.to, mount.at];
  return [mount.writable ? "--dev-bind" : "--ro-bind", mount.from, mount.at];
}

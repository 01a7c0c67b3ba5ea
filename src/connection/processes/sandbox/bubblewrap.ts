import type { Mount, Network, Sandbox } from "../../ports/sandbox.ts";
import { bridged, proxyVariables } from "../network/bridge.ts";
import { resolved } from "./paths.ts";

/** Root inside could otherwise unmount what hides a directory. */
const BASIS = [
  ...["--dev-bind", "/", "/"],
  ...["--proc", "/proc"],
  "--unshare-pid",
  "--die-with-parent",
  ...["--cap-drop", "CAP_SYS_ADMIN"],
];

/**
 * The same where only writable mounts can be written. Root keeps what packages need to be installed with, and no more. An agent's own
 * sandbox needs one of these, too: without CAP_SETFCAP, root cannot have a user namespace.
 */
const READ_ONLY_BASIS = [
  ...["--ro-bind", "/", "/"],
  ...["--dev", "/dev"],
  ...["--proc", "/proc"],
  ...["--unshare-pid", "--unshare-ipc", "--die-with-parent"],
  ...["--cap-drop", "ALL"],
];
const ROOT_KEEPS = [
  ...["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_SETUID", "CAP_SETGID", "CAP_SETFCAP", "CAP_KILL"],
].flatMap((one) => ["--cap-add", one]);

/** `program`: the path of bwrap. `extra`: options that this machine needs besides. */
export function bubblewrap(program: string, extra: readonly string[] = []): Sandbox {
  return {
    adapter: "bubblewrap",
    enclose: ({ command, args, cwd }, { mounts, is_read_only, network }) => [
      program,
      ...(is_read_only ? [...READ_ONLY_BASIS, ...(process.getuid?.() === 0 ? ROOT_KEEPS : [])] : BASIS),
      ...extra,
      ...resolved(mounts).flatMap(optionsFor),
      ...networkOptions(network),
      ...["--chdir", cwd, "--"],
      ...withBridge([command, ...args], network),
    ],
  };
}

function networkOptions(network: Network | undefined): string[] {
  if (network === undefined) return [];
  if (network === "none") return ["--unshare-net"];
  const variables = Object.entries(proxyVariables()).flatMap(([name, value]) => ["--setenv", name, value]);
  return ["--unshare-net", "--ro-bind", network.socket, network.socket, ...variables];
}

function withBridge(words: readonly string[], network: Network | undefined): readonly string[] {
  return network === undefined || network === "none" ? words : bridged(words, network);
}

function optionsFor(mount: Mount): string[] {
  if (mount.is === "empty") return ["--tmpfs", mount.at];
  if (mount.is === "link") return ["--symlink", mount.to, mount.at];
  return [mount.writable ? "--dev-bind" : "--ro-bind", mount.from, mount.at];
}

import { spawnSync } from "node:child_process";

/** Words before a program that start it with these mounts in place, which are gone with it. `$1` and so on are the given values. */
export function mounted(script: string, ...values: string[]): string[] {
  const shift = values.length > 0 ? `shift ${values.length}; ` : "";
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", `${script} && ${shift}exec "$@"`, "sh", ...values];
}

/** Whether this machine allows it. */
export function canMount(): boolean {
  const [program = "", ...words] = [...mounted("mount -t tmpfs tmpfs /mnt"), "true"];
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

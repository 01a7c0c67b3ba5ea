import { type FSWatcher, watch } from "node:fs";

/** Calls back when one of these names in a directory changes, or any. Undefined where the file system cannot tell. */
export function onChange(
  directory: string,
  names: readonly string[] | undefined,
  changed: () => void,
): (() => void) | undefined {
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name === null || (names?.includes(name) ?? true)) changed();
    });
  } catch {
    return undefined; // the directory is gone, or the system has no more watches
  }
  watcher.on("error", () => watcher.close()); // whoever waits looks by itself now and then
  return () => watcher.close();
}

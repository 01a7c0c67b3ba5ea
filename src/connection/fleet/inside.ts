import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";

/** Throws `task_refused` where a link of the repository leads a path of the task out of the checkout. */
export async function requireInside(top: string, id: string, paths: Readonly<Record<string, string>>): Promise<void> {
  const real = await realpath(top);
  for (const [key, path] of Object.entries(paths)) {
    const place = await realpath(path).catch(() => undefined); // what is missing is reported by those who need it
    const isOutside = place !== undefined && relative(real, place).split(sep)[0] === "..";
    if (isOutside)
      throw new E8Error("task_refused", { id, problems: message("submitted_path_outside", { key, path }) });
  }
}

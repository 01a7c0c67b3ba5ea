import { stat } from "node:fs/promises";
import { E8Error } from "../model/errors.ts";
import { errorCode, readFault } from "./stores/files/faults.ts";

/** Throws where the project's directory is missing or is not a directory. */
export async function requireProject(project: string): Promise<void> {
  const found = await stat(project).catch((error) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw readFault(error, project);
  });
  if (!found) throw new E8Error("project_missing", { path: project });
  if (!found.isDirectory()) throw new E8Error("project_not_directory", { path: project });
}

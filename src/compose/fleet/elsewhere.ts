import { elsewhereDirectory } from "../../connection/state-directory.ts";
import { projectNames } from "../../connection/stores/postgres/fleet.ts";
import { databaseStore } from "../database-store.ts";
import { databaseOf, lendTo } from "../store.ts";

/** A project of a database whose files are on other machines. */
export interface ElsewhereProject {
  name: string;
  /** Stands for its files, and is never made: a path that the database names would be another's word about this machine. */
  directory: string;
}

/** The other projects of the database that keeps the tasks of this one, as they are now; none where they are files. */
export async function projectsElsewhere(project: string): Promise<ElsewhereProject[]> {
  const own = databaseOf(project);
  if (!own) return [];
  const { database } = own.part;
  const others = (await projectNames(database)).filter((name) => name !== own.part.project);
  return others.map((name) => {
    const directory = elsewhereDirectory(database.address.name, name);
    if (databaseOf(directory)) return { name, directory };
    lendTo(directory, databaseStore({ ...own.part, project: name, directory }));
    return { name, directory };
  });
}

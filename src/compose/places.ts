import { dirname } from "node:path";
import { checkoutOf } from "../connection/git/checkout.ts";
import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import type { RunPlaces } from "../connection/processes/sandbox/views.ts";
import { stateDirectory } from "../connection/state-directory.ts";
import { isTracked } from "../connection/workspace/repository.ts";
import { roomsDirectory } from "../connection/workspace/room.ts";
import { isHidden } from "../model/criterion.ts";
import type { Environment } from "../model/environment.ts";
import type { Task } from "../model/task.ts";

/** Where a run has the things that its worker and its checks must not reach. */
export async function placesOf(
  { task, folder }: OpenTask,
  environment: Environment,
  machine: MachinePlace | undefined,
): Promise<RunPlaces> {
  const { project, configuration } = task;
  return {
    project,
    working_directory: configuration.working_directory,
    location: folder,
    rooms: roomsDirectory(),
    state: stateDirectory(),
    hidden_file: await hiddenFile(task),
    checkout: await otherCheckout(task),
    fleet: machine && { all: dirname(dirname(machine.places)), own: machine.home, mirror: machine.mirror },
    environment,
  };
}

async function otherCheckout({ project, place }: Task): Promise<RunPlaces["checkout"]> {
  if (!place) return undefined;
  const { top, common: repository } = await checkoutOf(project);
  return { top, repository, worktree: place.worktree };
}

/** A task file with hidden checks. One that git knows is not hidden: git has its content, and it would seem to be changed. */
async function hiddenFile({ configuration, task_file }: Task): Promise<string | undefined> {
  if (task_file === undefined || !configuration.criteria.some(isHidden)) return undefined;
  return (await isTracked(task_file)) ? undefined : task_file;
}

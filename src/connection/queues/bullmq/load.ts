import { E8Error } from "../../../model/errors.ts";
import { errorCode } from "../../stores/files/faults.ts";

export type QueuePackage = Pick<
  typeof import("bullmq"),
  "PostgresConnection" | "PostgresQueueBackend" | "Queue" | "Worker" | "runMigrations"
>;

/** The package `bullmq` is not installed with endless8: only those who have workers need it. */
export async function loadQueuePackage(
  load: () => Promise<QueuePackage> = () => import("bullmq"),
): Promise<QueuePackage> {
  try {
    return await load();
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new E8Error("queue_package_missing", {}, { cause: error });
  }
}

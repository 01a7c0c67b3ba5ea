import { E8Error } from "../../../model/errors.ts";
import { errorCode } from "../files/faults.ts";

type Driver = Pick<typeof import("pg"), "Pool" | "Client">;

/** The package `pg` is not installed with endless8: most users have no database. */
export async function loadDriver(load: () => Promise<{ default: Driver }> = () => import("pg")): Promise<Driver> {
  try {
    return (await load()).default;
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new E8Error("store_driver_missing", {}, { cause: error });
  }
}

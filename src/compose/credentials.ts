import { workEnvironment } from "../connection/processes/environment.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { type Notice, notice } from "../model/notices.ts";
import { databaseOf } from "./store.ts";

/** Names the credentials that the user has and that worker and checks will not have. */
export function withheldNotices(
  environment: Environment,
  { configuration, project }: { configuration: Configuration; project: string },
): Notice[] {
  const { pass_credentials } = configuration;
  const { withheld_names: names } = workEnvironment(environment, pass_credentials, storeSecrets(project));
  return names.length > 0 ? [notice("credentials_withheld", { names: names.join(", ") })] : [];
}

/** Variables that let a program into the store: with them, a worker could write its own records. */
export function storeSecrets(project: string): string[] {
  return databaseOf(project) ? ["PGPASSWORD", "PGPASSFILE"] : [];
}

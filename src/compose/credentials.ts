import { workEnvironment } from "../connection/processes/environment.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { type Notice, notice } from "../model/notices.ts";

/** Names the credentials that the user has and that worker and checks will not have. */
export function withheldNotices(environment: Environment, { pass_credentials }: Configuration): Notice[] {
  const { withheld_names: names } = workEnvironment(environment, pass_credentials);
  return names.length > 0 ? [notice("credentials_withheld", { names: names.join(", ") })] : [];
}

import { createRequire } from "node:module";
import type { Provider } from "../../../model/api-model.ts";

/** Packages that few need and that are large: their users install them. */
const OPTIONAL: Partial<Record<Provider, string>> = { bedrock: "@ai-sdk/amazon-bedrock" };

/** The package that has to be installed before a provider's models can be asked. */
export function missingPackage(provider: Provider, from: string = import.meta.url): string | undefined {
  const name = OPTIONAL[provider];
  return name === undefined || isInstalled(name, from) ? undefined : name;
}

function isInstalled(name: string, from: string): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch {
    return false;
  }
}

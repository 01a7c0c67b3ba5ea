import type { ProtectionReason } from "../../model/proof-record.ts";
import { type Checks, isLoadedIfThere, isRunByCheck } from "./check-programs.ts";
import { isInert, isNestedProject, isTest, reasonForNew } from "./file-kinds.ts";
import { isComputedInclude, stopsTarget } from "./makefile-targets.ts";
import { comesBefore, isShadowing, isShadowingHeader } from "./shadowing.ts";

/** What a new file is held against. */
export interface NewFileBasis {
  checks: Checks;
  /** The files of the start. */
  paths: ReadonlySet<string>;
  /** All new files. */
  added: readonly string[];
}

/** Why a new file is protected: it takes part in checks that did not ask for it. `now`: its text. */
export function reasonForAdded(
  path: string,
  now: string | undefined,
  basis: NewFileBasis,
): ProtectionReason | undefined {
  const { checks, paths } = basis;
  const why = reasonForNew(path);
  if (why === "loaded") return why;
  if (why === "configuration" && !isInert(path, checks.texts) && !isOfNewPackage(path, basis)) return why;
  if (redirects(path, now) && hasTestsBelow(folderOf(path), paths)) return "configuration";
  return isLoaded(path, now, basis) ? "loaded" : undefined;
}

function isLoaded(path: string, now: string | undefined, { checks, paths }: NewFileBasis): boolean {
  const { texts } = checks;
  if (isLoadedIfThere(path, checks)) return true;
  if (comesBefore(path, { paths, commands: texts, isTest }) || isShadowingHeader(path, texts)) return true;
  return isComputedInclude(path, now, texts) || (!isTest(path) && stopsTarget(path, texts));
}

/**
 * Where no file is called a test, a new configuration is what the worker was asked for, unless it takes over from a file by which a check
 * was already decided.
 */
export function takesOver(path: string, { checks, paths }: NewFileBasis): boolean {
  const has = (file: RegExp) => [...paths].some((one) => file.test(one));
  const isUsed = (command: RegExp) => checks.texts.some((text) => command.test(text));
  return TAKES_OVER.some(({ file, from, by }) => file.test(path) && has(from) && isUsed(by)) || shadowsJudge();

  function shadowsJudge(): boolean {
    return isShadowing(path) && [...paths].some((one) => sameLanguage(one, path) && isRunByCheck(one, checks));
  }
}

function sameLanguage(one: string, other: string): boolean {
  return one.split(".").at(-1) === other.split(".").at(-1);
}

const SCRIPTS_OF_PACKAGES = { from: /^package\.json$/, by: /\b(npm|npx|yarn|pnpm|bun)\b/ };
/** A new file, the one that it takes over from, and the command that reads both. */
const TAKES_OVER: readonly { file: RegExp; from: RegExp; by: RegExp }[] = [
  { file: /^(GNUm|m)akefile$/, from: /^[Mm]akefile$/, by: /\bmake\b/ },
  { file: /^(\.npmrc|\.yarnrc[^/]*|\.pnpmfile[^/]*|bunfig\.toml)$/, ...SCRIPTS_OF_PACKAGES },
  { file: /^\.cargo\//, from: /^Cargo\.toml$/, by: /\bcargo\b/ },
  { file: /(^|\/)(sitecustomize|usercustomize)\.py$|\.pth$/, from: /\.py$/, by: /\bpython/ },
];

/** A package that came as a whole decides about its own checks only. */
function isOfNewPackage(path: string, { paths, added }: NewFileBasis): boolean {
  const roots = added.filter(isNestedProject).map(folderOf);
  return roots.some((root) => path.startsWith(root) && ![...paths].some((one) => one.startsWith(root)));
}

/** Manifests that say for the files below them what an import means, or where tests are. */
const REDIRECTING: readonly { file: RegExp; text: RegExp }[] = [
  { file: /\/package\.json$/, text: /"(imports|exports|workspaces|overrides|resolutions|jest|mocha|ava|vitest)"\s*:/ },
  { file: /\/pyproject\.toml$/, text: /\[tool\.(pytest|tox|hatch)/ },
  { file: /\/(Cargo\.toml|go\.mod)$/, text: /^/ },
];

function redirects(path: string, now: string | undefined): boolean {
  return REDIRECTING.some(({ file, text }) => file.test(path) && (now === undefined || text.test(now)));
}

function hasTestsBelow(folder: string, paths: ReadonlySet<string>): boolean {
  return [...paths].some((one) => one.startsWith(folder) && isTest(one));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

import type { LoadModule } from "../../connection/ports/modules.ts";
import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { E8Error } from "../../model/errors.ts";
import { type Statement, WordedError, type Words } from "../../model/statement.ts";
import { orHalt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { conditionsOf } from "./conditions.ts";
import type { FlowRun } from "./flow-run.ts";

type UserFunction = (...given: unknown[]) => unknown;

/** How long a user's module may take to load or to answer, where nothing else is said. */
const MODULE_SECONDS = 120;

/** Loads the agent's own modules before the first step: a broken one costs nothing, and no worker changes who will judge it. */
export async function loadModules(context: RunContext, run: FlowRun): Promise<void> {
  const { validators, completionSteps } = run.definition.registry;
  const conditions = conditionsOf(run, Object.keys(completionSteps)).map(({ validator }) => validators[validator]);
  const handlers = observationsNeeded(run.definition.agent.runner.completion).custom.map(({ config }) => config);
  const paths = [...conditions, ...handlers].flatMap((one) => one?.handlerPath ?? []);
  for (const path of paths.filter(isInside)) await loadFunction(context, run, path);
}

/** Others may be what the work is about: they are loaded when they are needed. */
function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.startsWith("..");
}

/** The default export of a module. Throws `module_broken`. */
export async function loadFunction(context: RunContext, run: FlowRun, path: string): Promise<UserFunction> {
  const place = modulePath(run, path);
  const loaded = await answerOf(run.loadModule(place), context).catch((error: unknown) => {
    throw error instanceof WordedError ? broken(place, error.wording) : error;
  });
  if (typeof loaded === "function") return loaded as UserFunction;
  throw broken(place, NO_FUNCTION);
}

/** Where a user's module lies: its path is seen from the agent's directory. */
export function modulePath({ definition }: FlowRun, path: string): string {
  return path.startsWith("/") ? path : `${definition.directory}/${path}`;
}

/** What a module promises may never come: it is waited for until it is too late, and then a `WordedError` says so. */
export function answerOf<T>(promise: Promise<T>, { signal }: RunContext, seconds = MODULE_SECONDS): Promise<T> {
  return orHalt(promise, signal, { seconds, error: () => new WordedError(tooLate(seconds)) });
}

/** What was loaded once stays what it is for the whole run. */
export function remembering(load: LoadModule): LoadModule {
  const loaded = new Map<string, unknown>();
  return async (path) => {
    if (!loaded.has(path)) loaded.set(path, await load(path));
    return loaded.get(path);
  };
}

export function broken(path: string, problem: Statement, cause?: unknown): E8Error {
  return new E8Error("module_broken", { path, problem }, { cause });
}

const NO_FUNCTION: Words = {
  en: "its default export is no function",
  ja: "モジュールの default export が関数ではありません",
};

function tooLate(seconds: number): Words {
  return { en: `it gave no answer within ${seconds} s`, ja: `${seconds} 秒以内に応答がありませんでした` };
}

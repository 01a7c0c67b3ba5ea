import type { LoadModule } from "../../connection/ports/modules.ts";
import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { E8Error, problemOf } from "../../model/errors.ts";
import { message, type Statement } from "../../model/message.ts";
import { Halt, orHalt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { conditionsOf, type FlowRun } from "./flow-run.ts";

type UserFunction = (...given: unknown[]) => unknown;

/** How long a user's module may take to load or to answer, where nothing else is said. */
const MODULE_SECONDS = 120;

/** Loads the flow's own modules before the first step: a broken one costs nothing, and no worker can change its judge. */
export async function loadModules(context: RunContext, run: FlowRun): Promise<void> {
  const { validators, completionSteps } = run.definition.registry;
  const conditions = conditionsOf(run, Object.keys(completionSteps)).map(({ validator }) => validators[validator]);
  const handlers = observationsNeeded(run.definition.agent.runner.completion).custom.map(({ config }) => config);
  const paths = [...conditions, ...handlers].flatMap((one) => one?.handlerPath ?? []);
  for (const path of paths.filter(isInside)) await loadFunction(context, run, path);
}

/** Modules outside the flow's directory may be part of the work: they are loaded when they are needed. */
function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.startsWith("..");
}

/** The default export of a module. Throws `module_broken`. */
export async function loadFunction(context: RunContext, run: FlowRun, path: string): Promise<UserFunction> {
  const place = modulePath(run, path);
  const loaded = orBroken(await answerOf(() => run.loadModule(place), context), place);
  if (typeof loaded !== "function") throw broken(place, message("module_not_function", {}));
  return loaded as UserFunction;
}

/** Paths of modules are relative to the flow's directory. */
export function modulePath({ definition }: FlowRun, path: string): string {
  return path.startsWith("/") ? path : `${definition.directory}/${path}`;
}

/** A module's answer, or why there is none. */
type ModuleAnswer<T> = { answer: T } | { problem: Statement; isLate: boolean; cause: unknown };

/** Asks a user's module, and waits only so long. Throws only Halt. */
export async function answerOf<T>(
  ask: () => Promise<T>,
  { signal }: RunContext,
  seconds = MODULE_SECONDS,
): Promise<ModuleAnswer<T>> {
  const late = new Error("late");
  try {
    return { answer: await orHalt(ask(), signal, { seconds, error: () => late }) };
  } catch (cause) {
    if (cause instanceof Halt) throw cause;
    const isLate = cause === late;
    return { problem: isLate ? message("module_silent", { seconds }) : problemOf(cause), isLate, cause };
  }
}

/** The answer. Throws `module_broken` where there is none. */
export function orBroken<T>(answered: ModuleAnswer<T>, place: string): T {
  if ("answer" in answered) return answered.answer;
  throw broken(place, answered.problem, answered.cause);
}

/** Loads each module once, so that it stays the same for the whole run. */
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

import { accountName } from "../connection/agents/account-name.ts";
import type { Backend } from "../connection/agents/backend.ts";
import { claudeSettings } from "../connection/agents/claude/settings.ts";
import { createAgents } from "../connection/agents/create-agents.ts";
import { namedDoors } from "../connection/agents/doors.ts";
import { backends, capabilitiesOf, chosenBackend } from "../connection/agents/registry.ts";
import { readPrompts } from "../connection/files.ts";
import type { Ask } from "../connection/ports/ask.ts";
import type { Branch } from "../connection/ports/branch.ts";
import type { Clock } from "../connection/ports/clock.ts";
import type { Doors } from "../connection/ports/doors.ts";
import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { OpenTask, RawLog } from "../connection/ports/open-task.ts";
import type { Ports } from "../connection/ports/run.ts";
import { createCommandRunner } from "../connection/processes/command-runner.ts";
import { withoutHookVariables, workEnvironment } from "../connection/processes/environment.ts";
import { readyGuard } from "../connection/processes/guard.ts";
import { type Opening, openingSpaces } from "../connection/processes/sandbox/spaces.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import { Meter } from "../execution/meter.ts";
import { PROMPT_NAMES, type RunContext } from "../execution/run-context.ts";
import { apiModelOf } from "../model/api-model.ts";
import { type AgentChoice, type Configuration, reviewersOf } from "../model/configuration.ts";
import { isCheck } from "../model/criterion.ts";
import type { Environment } from "../model/environment.ts";
import type { Task } from "../model/task.ts";
import type { Usage } from "../model/usage.ts";
import { teller } from "../texts/tell.ts";
import { accessOf } from "./access.ts";
import { storeSecrets } from "./credentials.ts";
import { earlierWork } from "./earlier-work.ts";
import { travelling } from "./machine-place.ts";
import { placesOf } from "./places.ts";

interface RunSettings {
  environment: Environment;
  ask: Ask | undefined;
  signal: AbortSignal;
  clock: Clock;
  branch: Branch | undefined;
  doors: Doors | undefined;
  /** What this machine's owner calls its accounts. */
  account: string | undefined;
  machine: MachinePlace | undefined;
  /** What earlier runs of the task have spent. */
  spent: Usage;
  /** The agents of single steps. */
  agents: readonly AgentChoice[];
  /** The user takes what earlier tasks have left as it is. */
  acceptChanges: boolean | undefined;
  handBack: AbortSignal | undefined;
}

/** Gives a run every adapter that it needs. Its sandbox is known once `tried` has settled: until then, nothing but a worker may get ready. */
export async function contextOf(
  store: OpenTask,
  settings: RunSettings,
): Promise<{ context: RunContext; tried: Promise<void> }> {
  const { configuration, project, script, task_id } = store.task;
  const { ports, spaces, tried } = await portsOf(store, settings);
  const context: RunContext = {
    ports,
    configuration,
    prompts: await readPrompts(PROMPT_NAMES),
    tell: teller("en"),
    get sandbox() {
      return spaces.use;
    },
    has_model: hasModel(configuration),
    has_reviewer: reviewersOf(configuration).length > 0,
    meter: new Meter({ ledger: store.ledger, clock: settings.clock }, settings.spent, { isFree: script !== undefined }),
    ...(!settings.acceptChanges && {
      earlier: once(() => earlierWork(project, task_id, configuration.working_directory)),
    }),
    turns: {},
    signal: settings.signal,
    hand_back: settings.handBack,
  };
  return { context, tried };
}

async function portsOf(
  store: OpenTask,
  { environment: user, clock, machine, ...settings }: RunSettings,
): Promise<Opening & { ports: Ports }> {
  const { configuration, project } = store.task;
  const { working_directory, pass_credentials } = configuration;
  const { token, folder } = store;
  const { environment, withheld } = workEnvironment(user, pass_credentials, storeSecrets(project));
  const places = await placesOf(store, environment, machine);
  const access = await accessOf(configuration, environment, settings.agents);
  const { spaces, tried } = await openingSpaces(configuration.sandbox, places, access);
  tried.catch(() => {}); // told where it is awaited
  getReady(configuration); // while the sandbox is tried
  const workspace = createWorkspace(working_directory, {
    project: store.task.place ? working_directory : project,
    kept: { folder, task: store.task.task_id, settings: configuration, leaves_out: places.hidden_file },
  });
  const accountOf = (account: string) => accountName(account, user, settings.account);
  const ports: Ports = {
    store,
    agents: createAgents({
      configuration,
      project,
      environment,
      withheld,
      task_token: token,
      space: spaces.worker,
      checkout: places.checkout?.top,
      doors: store.doors ? namedDoors(store.doors, accountOf) : settings.doors,
      tell: teller("en"),
      raw_log: rawLogOf(configuration, store),
      clock,
    }),
    commands: createCommandRunner({
      project: working_directory,
      environment,
      user_environment: withoutHookVariables(user),
      task_token: token,
      clock,
      spaces,
    }),
    workspace: machine ? travelling(workspace, machine, store) : workspace,
    ...(machine && { machine: { name: machine.name, places: machine.places } }),
    clock,
    ...(await landingPorts(store.task, settings.branch, user)),
    ...(settings.ask && { ask: settings.ask }),
  };
  return { ports, spaces, tried };
}

/** What the first program that is started for the run needs. It loads while a disk or another program is waited for. */
export function getReady({ agent }: Configuration): void {
  readyGuard();
  const backend: Backend = backends[chosenBackend(agent)];
  backend.load?.();
}

/** A program that works with checks alone needs no model, and none is asked behind the user's back. */
function hasModel({ agent, models, criteria }: Configuration): boolean {
  const answersRoles = capabilitiesOf(agent).roles.includes("judge");
  return answersRoles || apiModelOf(models.judge) !== undefined || !criteria.every(isCheck);
}

/** Without `verbose`, only the result of every answer is kept. */
function rawLogOf(configuration: Configuration, { rawLog }: OpenTask): RawLog | undefined {
  if (!configuration.logging.raw_log) return undefined;
  if (claudeSettings(configuration).verbose) return rawLog;
  return async (iteration, role, line) => {
    if (line.includes('"type":"result"')) await rawLog(iteration, role, line);
  };
}

async function landingPorts({ project, configuration }: Task, branch: Branch | undefined, environment: Environment) {
  if (!branch) return {};
  return configuration.finalize.create_pr
    ? { branch, tracker: await createTracker({ project, environment }) }
    : { branch };
}

/** Asks at most once, and only when it is needed. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

import type { z } from "zod";
import type { AgentChoice, Configuration } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import type { Finding } from "../../model/findings.ts";
import type { Statement } from "../../model/message.ts";
import type { Role } from "../../model/roles.ts";
import type { Agent, Capabilities } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Doors } from "../ports/doors.ts";
import type { RawLog } from "../ports/open-task.ts";
import type { Space } from "../ports/sandbox.ts";

/** One kind of agent: a folder beside this file, and a line in `registry.ts`. */
export interface Backend {
  capabilities: Capabilities;
  /**
   * How `agent` in a task file chooses it: by its name, by a mapping of its name to a text, or by both with settings of its own. Absent:
   * it cannot do the work.
   */
  chosen_by?: "name" | "argument" | SettingsForm;
  /** Makes the agent of one run. Loads the adapter, and its vendor's packages no sooner than they are needed. */
  create(setup: AgentSetup): Promise<Agent>;
  /** Begins to load what `create` and the first answer need, while a run prepares other things. */
  load?(): void;
  /** Throws an E8Error when the agent could never answer in one of these roles. Nothing is started and nothing is asked. */
  verify?(need: AgentNeed): Promise<void>;
  /** What its program needs of a sandbox that is closed otherwise. Absent: nothing is known of it. */
  access?(environment: Environment, choice: AgentChoice): Promise<ModelAccess>;
  /** What `e8 doctor` finds out about it. */
  examine?(need: AgentNeed): Promise<Finding[]>;
}

/** A backend that takes settings: `name: {…}`. */
export interface SettingsForm {
  settings: z.ZodType<string | Record<string, unknown>>;
  /** Whether its name alone is enough. */
  is_named: boolean;
}

/** What a program that works must have to reach its model. */
export interface ModelAccess {
  /** Patterns of hosts. */
  hosts: readonly string[];
  /** Credentials in HOME. */
  kept: readonly string[];
  /** Directories of its own that must be there before it starts: nothing can be made beside them. */
  made: readonly string[];
  /** Its own files, and the paths below them that it only reads. One that is in both lists is a copy, which it may change for itself. */
  writable: readonly string[];
  readable: readonly string[];
}

/** What an agent of a run is made with. */
export interface AgentSetup {
  configuration: Configuration;
  /** Absolute: other paths of the configuration are seen from here. */
  project: string;
  environment: Environment;
  /** Variables of the user that are not in the environment. MCP servers that the user has configured may name them. */
  withheld?: Readonly<Record<string, string>>;
  /** Where programs run that do a worker's work. Without one, as the user. */
  space?: Space | undefined;
  /** Marks the processes of the task. */
  task_token: string;
  /** Which accounts have met a limit of their use. */
  doors?: Doors | undefined;
  /** The user's checkout, where the work happens in a worktree beside it: nothing in it may change. */
  checkout?: string | undefined;
  /** Seconds for one answer; null: no limit. */
  timeout_seconds: number | null;
  /** Seconds without a sign of life after which an answer is ended; null: never. */
  silence_seconds: number | null;
  raw_log?: RawLog | undefined;
  /** The run's clock: no limit is reached while the run is paused. */
  clock?: Clock | undefined;
  /** Says a statement to a model, in English. */
  tell: (statement: Statement) => string;
}

/** What a run would need of a backend. */
export interface AgentNeed {
  configuration: Configuration;
  project: string;
  environment: Environment;
  /** The roles that it would be asked in; none: the run does not use it. */
  roles: readonly Role[];
}

/** What stands beside the backend's name in the configuration: a program, a story. Empty for a name alone. */
export function argumentOf(choice: AgentChoice): string {
  const [argument = ""] = typeof choice === "string" ? [] : Object.values(choice);
  return typeof argument === "string" ? argument : "";
}

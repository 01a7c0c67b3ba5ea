import type { Agent, Expectation } from "./agent.ts";
import type { Ask } from "./ask.ts";
import type { Branch } from "./branch.ts";
import type { Clock } from "./clock.ts";
import type { CommandRunner } from "./commands.ts";
import type { OpenTask } from "./open-task.ts";
import type { IssueTracker } from "./tracker.ts";
import type { Workspace } from "./workspace.ts";

export interface Agents {
  executor: Agent;
  roles: Agent;
  /** Who would answer: a worker by its name, another agent, or a model over an API. Not every worker takes every role. */
  answererOf(expected: Expectation): string;
}

/** Everything outside that a run needs. */
export interface Ports {
  agents: Agents;
  commands: CommandRunner;
  store: OpenTask;
  workspace: Workspace;
  /** Where the checkout was made for this run, so that it has only what git has: the machine, and the directory of all such checkouts. */
  machine?: { name: string; places: string };
  clock: Clock;
  /** The task's own branch, where it has one. */
  branch?: Branch;
  /** The project's issues and pull requests, where the end of the task needs them. */
  tracker?: IssueTracker;
  ask?: Ask;
}

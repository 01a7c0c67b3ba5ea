import { agentFrom } from "../../model/agent-choice.ts";
import type { AgentChoice } from "../../model/configuration.ts";
import type { Check } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import { message, type Statement } from "../../model/message.ts";
import { Role } from "../../model/roles.ts";
import type { SettingsSchemas } from "./agent-settings.ts";
import type { Setting } from "./layer.ts";
import { withoutAnthropic } from "./model-names.ts";
import { readSetting } from "./settings-file.ts";

/** Settings of the command line, as typed. */
export interface Flags {
  task?: string | undefined;
  /** `-c`, `--check` and `--unchanged`, in the order they were given. They are added to the task file's criteria. */
  criteria?: readonly (string | Check)[] | undefined;
  /** Only the criteria of the command line count. */
  only?: boolean | undefined;
  maxIterations?: string | number | undefined;
  model?: string | undefined;
  /** Of the one who works only. */
  executorModel?: string | undefined;
  /** For the judges only, who must all agree: they may be models over an API. */
  judgeModel?: string | readonly string[] | undefined;
  /** The reviewers' models, in the place of those of the task file. */
  reviewer?: readonly string[] | undefined;
  /** Only `false` sets anything. */
  review?: boolean | undefined;
  /** Who works: `claude`, `command:<program>`, `scripted:<story>`. Of several, the first one while it can. */
  agent?: AgentChoice | readonly AgentChoice[] | undefined;
  /** Minutes, or with units. */
  fallbackAfter?: string | number | undefined;
  /** A model or an agent that takes over after a standstill. */
  escalateTo?: string | undefined;
  /** A program that does the work instead of Claude Code. */
  agentCommand?: string | undefined;
  maxCost?: string | number | undefined;
  maxTokens?: string | number | undefined;
  /** Minutes, or with units: `90m`, `2h`, `1h30m`. */
  maxTime?: string | number | undefined;
  /** A time of day, or a date and time. */
  until?: string | undefined;
  /** Seconds, or with units: `90s`, `10m`. */
  checkTimeout?: string | number | undefined;
  /** Tools that the worker may use besides the configured ones. */
  allowTool?: readonly string[] | undefined;
  /** Keeps the raw output of the agents, for `e8 logs`. */
  rawLog?: boolean | undefined;
  /** A command to run at the end. */
  onEnd?: string | undefined;
  /** How a claim is proved. */
  proof?: string | undefined;
  /** Policies and patterns; they are added to those of the task file. */
  protect?: readonly string[] | undefined;
  mayChange?: readonly string[] | undefined;
  ifGreen?: string | undefined;
  /** Credentials that the work may have; they are added to those of the task file. */
  passCredentials?: readonly string[] | undefined;
  /** Commands that prepare a clean checkout, in the place of the task file's. */
  setup?: readonly string[] | undefined;
  /** Seconds, or with units. */
  setupTimeout?: string | number | undefined;
  keep?: readonly string[] | undefined;
  /** How far worker and checks are kept apart from the rest of the machine. */
  sandbox?: string | undefined;
  /** Hosts that a strict sandbox leads to; they are added to those of the task file. */
  allowHost?: readonly string[] | undefined;
  /** Works on a branch and in a worktree of its own. */
  worktree?: boolean | undefined;
  base?: string | undefined;
  merge?: boolean | undefined;
  push?: boolean | undefined;
  createPr?: boolean | undefined;
  draft?: boolean | undefined;
  /** Only `false` sets anything: option parsers report `true` where `--no-intake` is absent. */
  intake?: boolean | undefined;
}

export const CRITERIA_FLAGS = "--criteria/--check/--unchanged";

interface Flag {
  flag: string;
  value: unknown;
  paths: readonly string[];
  adds?: boolean;
  /** How the value is written, where a number alone does not say it. */
  form?: Statement;
}

export function flagLayer(flags: Flags, schemas: SettingsSchemas): Map<string, Setting> {
  const layer = new Map<string, Setting>();
  for (const { flag, value, paths, form, adds } of given(flags, schemas)) {
    for (const path of paths) {
      const read = readSetting(path, value, schemas);
      if ("problem" in read)
        throw new E8Error("flag_invalid", {
          flag,
          problem: form ? message("flag_form", { problem: read.problem, form }) : read.problem,
        });
      layer.set(path, {
        value: read.value,
        source: flag.startsWith("-") ? `flag ${flag}` : flag,
        ...(adds && { adds }),
      });
    }
  }
  return layer;
}

const MODEL_PATHS = Role.options.map((role) => (role === "reviewer" ? "reviewers" : `models.${role}`));

function given(flags: Flags, schemas: SettingsSchemas): Flag[] {
  const all: Flag[] = [
    { flag: "command line", value: flags.task, paths: ["task"] },
    {
      flag: CRITERIA_FLAGS,
      value: flags.criteria?.length ? flags.criteria : undefined,
      paths: ["criteria"],
    },
    { flag: "--max-iterations", value: flags.maxIterations, paths: ["max_iterations"] },
    // It is for every role including the executor, so it means Claude Code, however it is spelled.
    { flag: "--model", value: withoutAnthropic(flags.model), paths: MODEL_PATHS },
    { flag: "--agent", value: flags.executorModel, paths: ["models.executor"] },
    { flag: "--reviewer", value: flags.reviewer?.length ? flags.reviewer : undefined, paths: ["reviewers"] },
    { flag: "--reviewer", value: flags.reviewer?.length ? true : undefined, paths: ["review"] },
    { flag: "--no-review", value: flags.review === false ? false : undefined, paths: ["review"] },
    { flag: "--judge-model", value: flags.judgeModel?.length ? flags.judgeModel : undefined, paths: ["models.judge"] },
    ...agentFlags(flags, schemas),
    { flag: "--agent-command", value: flags.agentCommand && { command: flags.agentCommand }, paths: ["agent"] },
    { flag: "--max-cost", value: flags.maxCost, paths: ["budget.cost_usd"] },
    { flag: "--max-tokens", value: flags.maxTokens, paths: ["budget.tokens"] },
    {
      flag: "--max-time",
      value: minutes(flags.maxTime),
      paths: ["budget.minutes"],
      form: message("time_in_minutes", {}),
    },
    { flag: "--until", value: flags.until, paths: ["until"] },
    {
      flag: "--check-timeout",
      value: seconds(flags.checkTimeout),
      paths: ["command_timeout"],
      form: message("time_in_seconds", {}),
    },
    {
      flag: "--allow-tool",
      value: flags.allowTool?.length ? flags.allowTool : undefined,
      paths: ["claude_options.allowed_tools"],
      adds: true,
    },
    { flag: "--raw-log", value: flags.rawLog, paths: ["logging.raw_log"] },
    { flag: "--on-end", value: flags.onEnd, paths: ["notify.on_end"] },
    { flag: "--proof", value: flags.proof, paths: ["proof"] },
    { flag: "--protect", value: flags.protect?.length ? flags.protect : undefined, paths: ["protect"], adds: true },
    {
      flag: "--may-change",
      value: flags.mayChange?.length ? flags.mayChange : undefined,
      paths: ["may_change"],
      adds: true,
    },
    { flag: "--worktree", value: flags.worktree, paths: ["worktree.enabled"] },
    { flag: "--base", value: flags.base, paths: ["worktree.base"] },
    { flag: "--merge", value: flags.merge, paths: ["finalize.merge"] },
    { flag: "--push", value: flags.push, paths: ["finalize.push"] },
    { flag: "--create-pr", value: flags.createPr, paths: ["finalize.create_pr"] },
    { flag: "--draft", value: flags.draft, paths: ["finalize.create_pr", "finalize.draft"] },
    { flag: "--if-green", value: flags.ifGreen, paths: ["if_green"] },
    {
      flag: "--pass-credentials",
      value: flags.passCredentials?.length ? flags.passCredentials : undefined,
      paths: ["pass_credentials"],
      adds: true,
    },
    { flag: "--setup", value: flags.setup?.length ? flags.setup : undefined, paths: ["setup"] },
    {
      flag: "--setup-timeout",
      value: seconds(flags.setupTimeout),
      paths: ["setup_timeout"],
      form: message("time_in_seconds", {}),
    },
    { flag: "--keep", value: flags.keep?.length ? flags.keep : undefined, paths: ["keep"] },
    { flag: "--sandbox", value: flags.sandbox, paths: ["sandbox"] },
    {
      flag: "--allow-host",
      value: flags.allowHost?.length ? flags.allowHost : undefined,
      paths: ["sandbox_hosts"],
      adds: true,
    },
    { flag: "--no-intake", value: flags.intake === false ? false : undefined, paths: ["intake"] },
  ];
  return all.filter(({ value }) => value !== undefined);
}

function agentFlags({ agent, fallbackAfter, escalateTo }: Flags, schemas: SettingsSchemas): Flag[] {
  const [only, ...others] = [agent ?? []].flat();
  for (const one of [agent ?? []].flat()) requireAgent(one, schemas);
  const agents = { flag: "--agent", value: [only, ...others].map(agentFrom), paths: ["agents"] };
  const stronger = typeof escalateTo === "string" ? workerIn(escalateTo, schemas) : undefined;
  return [
    others.length > 0 ? agents : { flag: "--agent", value: agentFrom(only), paths: ["agent"] },
    {
      flag: "--fallback-after",
      value: minutes(fallbackAfter),
      paths: ["fallback_after"],
      form: message("time_in_minutes", {}),
    },
    { flag: "--escalate-to", value: stronger ?? escalateTo, paths: ["escalate_to"] },
  ];
}

/** Says what is wrong in the words that were typed: a user who types `codex:foo` has not written a mapping. */
function requireAgent(typed: AgentChoice, schemas: SettingsSchemas): void {
  if (typeof typed !== "string" || !("problem" in readSetting("agent", agentFrom(typed), schemas))) return;
  const problem = message("value_impossible", { value: JSON.stringify(typed) });
  const allowed = message("value_form", { form: "agent_flag" });
  throw new E8Error("flag_invalid", { flag: "--agent", problem: message("value_explained", { problem, allowed }) });
}

/** `codex@gpt-6` is Codex with this model. Undefined where no agent is named: models may have an @ in their names, too. */
function workerIn(spelled: string, schemas: SettingsSchemas): unknown {
  const isAgent = (one: unknown) => !("problem" in readSetting("agent", one, schemas));
  const [, name, model] = /^([\w-]+)@(.+)$/.exec(spelled) ?? [];
  if (name !== undefined && isAgent(name)) return { agent: name, model };
  return isAgent(agentFrom(spelled)) ? agentFrom(spelled) : undefined;
}

type Typed = string | number | undefined;

function minutes(time: Typed): Typed {
  const inSeconds = withUnits(time);
  return inSeconds === undefined ? time : inSeconds / 60;
}

function seconds(time: Typed): Typed {
  return withUnits(time) ?? time;
}

/** The seconds of `1h30m`; undefined where it is written otherwise. */
function withUnits(time: Typed): number | undefined {
  const units = /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(String(time).trim());
  if (!units || units[0] === "") return undefined;
  const [hours, mins, rest] = units.slice(1).map((part) => Number(part ?? 0)) as [number, number, number];
  return hours * 3600 + mins * 60 + rest;
}

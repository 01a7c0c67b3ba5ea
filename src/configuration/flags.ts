import type { Check } from "../model/criterion.ts";
import { E8Error } from "../model/errors.ts";
import { Role } from "../model/roles.ts";
import { type Statement, worded } from "../model/statement.ts";
import type { Layer, Setting } from "./layer.ts";
import { withoutAnthropic } from "./model-names.ts";
import { readSetting } from "./read-setting.ts";

/** What the command line sets, as it was typed. */
export interface Flags {
  task?: string | undefined;
  /** `-c`, `--check` and `--unchanged`, in the order they were given. None at all leaves the task file's criteria. */
  criteria?: readonly (string | Check)[] | undefined;
  maxIterations?: string | number | undefined;
  model?: string | undefined;
  /** The judge's alone: it may be asked over an API. */
  judgeModel?: string | undefined;
  /** Who works: `claude`, `command:<program>`, `scripted:<story>`. */
  agent?: string | undefined;
  /** A program that does the work instead of Claude Code. */
  agentCommand?: string | undefined;
  maxCost?: string | number | undefined;
  maxTokens?: string | number | undefined;
  /** Minutes, or with units: `90m`, `2h`, `1h30m`. */
  maxTime?: string | number | undefined;
  /** Seconds, or with units: `90s`, `10m`. */
  checkTimeout?: string | number | undefined;
  /** Keeps what the agents say, for `e8 logs`. */
  rawLog?: boolean | undefined;
  /** Only `false` sets anything: option parsers report `true` where `--no-intake` is absent. */
  intake?: boolean | undefined;
}

const TIME_FORM: Statement = {
  en: "minutes, or a time such as 90m, 2h or 1h30m",
  ja: "分、または 90m、2h、1h30m のような時間で指定します",
};

const SECONDS_FORM: Statement = {
  en: "seconds, or a time such as 90s or 10m",
  ja: "秒、または 90s、10m のような時間で指定します",
};

interface Flag {
  flag: string;
  value: unknown;
  paths: readonly string[];
  /** How the value is written, where a number alone does not say it. */
  form?: Statement;
}

export function flagLayer(flags: Flags): Layer {
  const layer = new Map<string, Setting>();
  for (const { flag, value, paths, form } of given(flags)) {
    for (const path of paths) {
      const read = readSetting(path, value);
      if ("problem" in read)
        throw new E8Error("flag_invalid", { flag, problem: form ? withForm(read.problem, form) : read.problem });
      layer.set(path, { value: read.value, source: flag.startsWith("-") ? `flag ${flag}` : flag });
    }
  }
  return layer;
}

function withForm(problem: Statement, form: Statement): Statement {
  return worded(
    (say) => `${say(problem)}; ${say(form)}`,
    (say) => `${say(problem)}。${say(form)}`,
  );
}

function given(flags: Flags): Flag[] {
  const all: Flag[] = [
    { flag: "command line", value: flags.task, paths: ["task"] },
    {
      flag: "--criteria/--check/--unchanged",
      value: flags.criteria?.length ? flags.criteria : undefined,
      paths: ["criteria"],
    },
    { flag: "--max-iterations", value: flags.maxIterations, paths: ["max_iterations"] },
    // Every role's, the executor's too: so it means Claude Code, however it is spelled.
    { flag: "--model", value: withoutAnthropic(flags.model), paths: Role.options.map((role) => `models.${role}`) },
    { flag: "--judge-model", value: flags.judgeModel, paths: ["models.judge"] },
    { flag: "--agent", value: agentChoice(flags.agent), paths: ["agent"] },
    { flag: "--agent-command", value: flags.agentCommand && { command: flags.agentCommand }, paths: ["agent"] },
    { flag: "--max-cost", value: flags.maxCost, paths: ["budget.cost_usd"] },
    { flag: "--max-tokens", value: flags.maxTokens, paths: ["budget.tokens"] },
    { flag: "--max-time", value: minutes(flags.maxTime), paths: ["budget.minutes"], form: TIME_FORM },
    { flag: "--check-timeout", value: seconds(flags.checkTimeout), paths: ["command_timeout"], form: SECONDS_FORM },
    { flag: "--raw-log", value: flags.rawLog, paths: ["logging.raw_log"] },
    { flag: "--no-intake", value: flags.intake === false ? false : undefined, paths: ["intake"] },
  ];
  return all.filter(({ value }) => value !== undefined);
}

/** `command:my-agent` is what a task file has as `{ command: my-agent }`. */
function agentChoice(agent: string | undefined): unknown {
  const [, name, argument] = /^(\w+):(.+)$/s.exec(agent ?? "") ?? [];
  return name === undefined ? agent : { [name]: argument };
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

import type { SuccessFault } from "../../../model/flow/problem.ts";
import type { ValidatorJson } from "../../../model/flow/registry-json.ts";
import type { FailurePattern, SuccessWhen, Validator } from "../../../model/flow/steps-registry.ts";
import { handoffValuesOf, parserNames } from "../../../model/flow/variables.ts";
import { nearest } from "../../nearest.ts";
import { isPattern } from "../read/parameters.ts";
import { checkHandler } from "../read/resource.ts";
import { conditionsOf } from "./completion-steps.ts";
import { type Draft, placeIn } from "./draft.ts";

/** The validators as they are used, each checked against patterns, parsers and the conditions that use it. */
export function readValidators(draft: Draft, parameters: readonly string[]): Record<string, Validator> {
  const { validators = {} } = draft.json;
  for (const [name, json] of Object.entries(validators)) {
    checkKeys(draft, name, json);
    checkPattern(draft, name, json);
    checkUse(draft, name, json, parameters);
  }
  return Object.fromEntries(Object.entries(validators).map(([name, json]) => [name, readValidator(draft, name, json)]));
}

export function readPatterns({ json, report, file }: Draft): Record<string, FailurePattern> {
  const { completionPatterns, failurePatterns } = json;
  if (completionPatterns && failurePatterns) {
    const details = { first: "completionPatterns", second: "failurePatterns" };
    report.add("CONDITIONS_TWICE", { file, path: ["failurePatterns"] }, details);
  }
  const patterns = Object.entries(completionPatterns ?? failurePatterns ?? {});
  return Object.fromEntries(
    patterns.map(([name, { description, edition, adaptation, params }]) => [
      name,
      { description, edition, ...(adaptation !== undefined && { adaptation }), params: params ?? [] },
    ]),
  );
}

const NEEDS = { command: "command", file: "path", custom: "handlerPath", semantic: "prompt" } as const;

function checkKeys(draft: Draft, name: string, json: ValidatorJson): void {
  const { report } = draft;
  const key = NEEDS[json.type];
  const place = (...path: string[]) => placeIn(draft, "validators", name, ...path);
  if (json[key] === undefined) report.add("VALIDATOR_KEY_MISSING", place(key), { type: json.type, key });
  if (json.type === "custom") checkHandler(json.handlerPath, draft, place("handlerPath"));
  for (const [param, parser] of Object.entries(json.extractParams ?? {})) {
    if ((parserNames as readonly string[]).includes(parser)) continue;
    const details = { parser, nearest: nearest(parser, parserNames), known: parserNames };
    report.add("PARSER_UNKNOWN", place("extractParams", param), details);
  }
  if (json.phase !== undefined) {
    report.add("AGENT_KEY_WITHOUT_EFFECT", place("phase"), { key: "phase", reason: "checked_after_closing" });
  }
}

function checkPattern(draft: Draft, name: string, { failurePattern, extractParams = {} }: ValidatorJson): void {
  if (failurePattern === undefined) return;
  const patterns = draft.json.completionPatterns ?? draft.json.failurePatterns ?? {};
  const pattern = Object.hasOwn(patterns, failurePattern) ? patterns[failurePattern] : undefined;
  const place = placeIn(draft, "validators", name, "failurePattern");
  if (!pattern) {
    const details = { pattern: failurePattern, nearest: nearest(failurePattern, Object.keys(patterns)) };
    draft.report.add("PATTERN_UNKNOWN", place, details);
  }
  for (const param of pattern?.params ?? []) {
    if (Object.hasOwn(extractParams, param)) continue;
    draft.report.add("PATTERN_PARAM_UNSUPPLIED", place, { pattern: failurePattern, param, validator: name });
  }
}

/** Every `${name}` of a command must come from the condition, the agent's parameters or the handoff. */
function checkUse(draft: Draft, name: string, json: ValidatorJson, parameters: readonly string[]): void {
  const entries = Object.values(draft.json.completionSteps ?? draft.json.validationSteps ?? {});
  const uses = entries.flatMap(conditionsOf).filter(({ validator }) => validator === name);
  const place = placeIn(draft, "validators", name);
  if (uses.length === 0) {
    draft.report.add("VALIDATOR_UNUSED", place, { validator: name });
    return;
  }
  const asked = [...`${json.command ?? ""} ${json.path ?? ""}`.matchAll(/\$\{(\w+)\}/g)].map(
    ([, param]) => param ?? "",
  );
  const handed = handoffValuesOf(draft.steps).map(({ variable }) => variable);
  for (const param of new Set(asked)) {
    const isGiven =
      uses.every(({ params }) => Object.hasOwn(params ?? {}, param)) ||
      parameters.includes(param) ||
      handed.includes(param);
    if (!isGiven) draft.report.add("VALIDATOR_PARAM_UNKNOWN", place, { name: param, validator: name });
  }
}

function readValidator(draft: Draft, name: string, json: ValidatorJson): Validator {
  const { type, command, path, handlerPath, prompt, failurePattern, extractParams, timeout } = json;
  return {
    type,
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path }),
    ...(handlerPath !== undefined && { handlerPath }),
    ...(prompt !== undefined && { prompt }),
    successWhen: readSuccess(draft, name, json.successWhen ?? "exitCode:0"),
    ...(failurePattern !== undefined && { failurePattern }),
    extractParams: extractParams ?? {},
    ...(timeout !== undefined && { timeout }),
  };
}

function readSuccess(draft: Draft, name: string, value: string): SuccessWhen {
  const colon = value.indexOf(":");
  const [kind, rest] = colon === -1 ? [value, ""] : [value.slice(0, colon), value.slice(colon + 1)];
  const refuse = (fault: SuccessFault): SuccessWhen => {
    draft.report.add("VALIDATOR_SUCCESS_WHEN", placeIn(draft, "validators", name, "successWhen"), { value, fault });
    return { kind: "exitCode", code: 0 };
  };
  switch (kind) {
    case "empty":
      return colon === -1 ? { kind } : refuse("more_than_empty");
    case "exitCode":
      return /^\d{1,3}$/.test(rest.trim()) && Number(rest) <= 255 ? { kind, code: Number(rest) } : refuse("exit_code");
    case "contains":
      return rest === "" ? refuse("text") : { kind, text: rest };
    case "matches":
      return rest !== "" && isPattern(rest) ? { kind, pattern: rest } : refuse("pattern");
    default:
      return refuse("unknown");
  }
}

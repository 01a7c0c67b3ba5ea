import type { AgentFailure, Assignment, JsonSchema } from "../../../model/agent.ts";
import { type ApiModel, isCompatible } from "../../../model/api-model.ts";
import type { Environment } from "../../../model/environment.ts";
import { message } from "../../../model/message.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";
import { answersIn, findJson, withoutDialect } from "../find-json.ts";
import type { Access } from "./access.ts";
import { readThrown, refusesSchemas, thrownFailure } from "./failures.ts";
import { type CallOptions, type Generated, languageModel, PROVIDER_OPTIONS } from "./language-model.ts";
import type { RawMessages } from "./raw-messages.ts";
import { patientFetch } from "./request.ts";
import { addTokens, NO_TOKENS, type Tokens, tokensIn, tokensOf } from "./tokens.ts";

/** The model that is asked, and the way to it. */
export interface Asking {
  /** As the configuration names it. */
  spelling: string;
  model: ApiModel;
  access: Access;
  environment: Environment;
  log: RawMessages;
  /** Models whose server takes no schema: the prompt describes it instead. Kept for the run. */
  plain: Set<string>;
}

export interface ModelAnswer {
  text: string;
  structured?: Record<string, unknown> | undefined;
  failure: AgentFailure | undefined;
  tokens: Tokens;
}

export const NOTHING_ASKED: ModelAnswer = { text: "", failure: undefined, tokens: NO_TOKENS };

interface Call {
  signal: AbortSignal;
  heard: () => void;
}

/** Asks once, and a second time without the schema if the server refused it. Never throws. */
export async function askModel(asking: Asking, assignment: Assignment, call: Call): Promise<ModelAnswer> {
  try {
    return await askOnce(asking, assignment, call);
  } catch (error) {
    await logThrown(asking, error);
    const spent = tokensIn(readThrown(error).responseBody);
    const takesSchemas = asking.plain.has(asking.spelling) || !assignment.schema || !refusesSchemas(error);
    if (takesSchemas || call.signal.aborted) return { ...NOTHING_ASKED, tokens: spent, failure: thrownFailure(error) };
    asking.plain.add(asking.spelling);
    const second = await askModel(asking, assignment, call);
    return { ...second, tokens: addTokens(spent, second.tokens) };
  }
}

async function askOnce(asking: Asking, assignment: Assignment, { signal, heard }: Call): Promise<ModelAnswer> {
  const { spelling, model, access, environment, plain } = asking;
  const asked = await languageModel(model, access, patientFetch(heard, environment));
  const generated = await asked.doGenerate(await optionsFor(assignment, plain.has(spelling), signal));
  const text = spokenText(generated);
  await asking.log.asked(spelling, { request: generated.request?.body, response: generated.response?.body, text });
  const answers = answersIn(text, assignment.schema);
  const structured = answers[0] ?? findJson(text);
  const failure = endFailure(generated) ?? (assignment.schema && answerFailure(answers, structured));
  // The server ignored the schema: the next prompt describes it.
  if ((failure === NO_JSON || failure === SEVERAL) && isCompatible(model.provider)) plain.add(spelling);
  return { text, structured: failure ? undefined : structured, failure, tokens: tokensOf(generated) };
}

async function optionsFor(assignment: Assignment, isPlain: boolean, signal: AbortSignal): Promise<CallOptions> {
  const { schema, prompt, system_prompt } = assignment;
  const system = schema && isPlain ? `${system_prompt}\n\n${await inWords(schema)}` : system_prompt;
  return {
    prompt: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    ...(schema && !isPlain && { responseFormat: { type: "json", name: "answer", schema: withoutDialect(schema) } }),
    providerOptions: PROVIDER_OPTIONS,
    abortSignal: signal,
  };
}

async function inWords(schema: JsonSchema): Promise<string> {
  const { "json-answer": template } = await readPrompts(["json-answer"]);
  return fillTemplate(template, { schema: JSON.stringify(withoutDialect(schema)) });
}

function spokenText({ content }: Generated): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function answerFailure(answers: readonly unknown[], structured: unknown): AgentFailure | undefined {
  if (answers.length > 1) return SEVERAL;
  return structured ? undefined : NO_JSON;
}

const SEVERAL: AgentFailure = { code: "malformed", message: message("several_answers", {}) };
const NO_JSON: AgentFailure = { code: "malformed", message: message("no_json", {}) };

/** The failure of an answer that ended before it was finished. */
function endFailure({ finishReason: { unified, raw } }: Generated): AgentFailure | undefined {
  switch (unified) {
    case "length":
      return { code: "malformed", message: message("answer_cut_off", {}) };
    case "content-filter":
      return { code: "refused", message: message("model_refused", { reason: raw ?? "content-filter" }) };
    case "error":
      return { code: "server", message: message("model_broke_off", { reason: raw ?? "error" }) };
    default:
      return undefined;
  }
}

async function logThrown({ log, spelling }: Asking, error: unknown): Promise<void> {
  const thrown = readThrown(error);
  const { requestBodyValues: request, responseBody } = thrown;
  await log.asked(spelling, { request, response: responseBody || thrown.message, text: "" });
}

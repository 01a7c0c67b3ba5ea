import { enLogin } from "../login.ts";
import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "authentication"
  | "package_missing"
  | "api_key_missing"
  | "proxy_refused"
  | "billing"
  | "review_unusable"
  | "agent_configuration"
  | "unreachable";

/** What keeps an agent or a model from answering. */
export const enModelErrors: Pick<ErrorTexts, ErrorCodes> = {
  authentication: (d, tell) => [
    `The agent could not log in: ${tell(d.message)}`,
    d.variable
      ? `Correct ${d.variable}; then \`e8 run --resume\`.`
      : d.login
        ? `${enLogin(d.login)}; then \`e8 run --resume\`.`
        : "Run `claude` once and /login (`e8 doctor` says where the bundled one is), or set ANTHROPIC_API_KEY; then `e8 run --resume`.",
  ],
  package_missing: (d) => [
    `${d.model} needs the package ${d.package}, which few need, so it does not come with endless8.`,
    `Install it beside endless8 (npm install ${d.package}@4, with -g where endless8 is installed globally), or name another model; nothing was started.`,
  ],
  api_key_missing: (d) => [
    `${d.model} (${d.roles}) is asked over its API, which needs ${d.variable}.`,
    `Set it, or name a model of Claude Code instead; nothing was started.`,
  ],
  proxy_refused: (d) => [
    `The proxy ${d.proxy} does not let requests through to ${d.address} (${d.status}).`,
    d.status === 407
      ? "Put user and password into HTTPS_PROXY or HTTP_PROXY (http://user:password@host:port); then `e8 run --resume`."
      : `Have ${d.address} allowed there, or name it in NO_PROXY where it can be reached without; then \`e8 run --resume\`.`,
  ],
  billing: (d, tell) => [
    `The account cannot pay: ${tell(d.message)}`,
    "Top up or change the account; then `e8 run --resume`.",
  ],
  review_unusable: (d, tell) => [
    `The work could not be reviewed: ${d.model} gave no usable answer: ${tell(d.problem)}.`,
    "The work is kept and only the proof is left. Ask again with `e8 run --resume`, with `--reviewer MODEL` for another model, or with `--no-review`.",
  ],
  agent_configuration: (d, tell) => [
    `The agent cannot be used: ${tell(d.message)}`,
    "Correct it; then `e8 run --resume` (with `--agent-command` for another program). Where the task's own settings are wrong, start a new task.",
  ],
  unreachable: (d, tell) => [
    `The model could not be reached for ${d.hours} h: ${tell(d.message)}`,
    "Check the network and the service's status; then `e8 run --resume`.",
  ],
};

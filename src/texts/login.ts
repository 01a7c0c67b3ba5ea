import type { AgentLogin } from "../model/agent.ts";

/** "Run `codex login`, or set OPENAI_API_KEY": without the end of the sentence. */
export function enLogin({ command, variables }: AgentLogin): string {
  const set = variables.length > 1 ? `set one of ${variables.join(", ")}` : `set ${variables[0]}`;
  const ways = [...(command === "" ? [] : [`run \`${command}\``]), ...(variables.length === 0 ? [] : [set])];
  const said = ways.join(", or ") || "log in to it as its own documentation says";
  return `${said[0]?.toUpperCase()}${said.slice(1)}`;
}

/** The same in Japanese, up to the て form. */
export function jaLogin({ command, variables }: AgentLogin): string {
  const set = variables.length > 1 ? `${variables.join("、")} のどれかを設定して` : `${variables[0]} を設定して`;
  if (command === "") return variables.length === 0 ? "そのエージェントの説明書に従ってログインして" : set;
  return variables.length === 0 ? `\`${command}\` を実行して` : `\`${command}\` を実行するか、${set}`;
}

import { shellQuoted } from "../../model/shell-quotes.ts";
import {
  type CommandNode,
  type FlagNode,
  flagValues,
  LISTED,
  line,
  paths,
  source,
  type Values,
} from "./command-tree.ts";

/** `path` and `words` are zsh's own names, hence `at`. */
export function zshCompletion(nodes: readonly CommandNode[]): string {
  return `#compdef e8
# Completions of e8 for zsh. Try: source <(e8 completion zsh)
# To keep them: e8 completion zsh > a directory of your fpath, as _e8

_e8_listed() {
  case $1 in
    tasks) ${LISTED.tasks.command} "\${@:2}" 2>/dev/null | sed -n 's/^ *"${LISTED.tasks.key}": "\\([^"]*\\)".*/\\1/p' ;;
    agents) ${LISTED.agents.command} "\${@:2}" 2>/dev/null | sed -n 's/^ *"${LISTED.agents.key}": "\\([^"]*\\)".*/\\1/p' ;;
    *) print -l -- \${=1} ;;
  esac
}

_e8_values() {
  case $1 in
    files) _files ;;
    directories) _files -/ ;;
    text) _message 'text' ;;
    *) compadd -- \${(f)"$(_e8_listed "$@")"} ;;
  esac
}

_e8() {
  local at= word= index= expected= argument=
  local -a project commands flags
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    case $word in
      -p | --project) project=(--project "\${(Q)words[index + 1]}") ;;
    esac
    case "$at/$word" in
      ${paths(nodes).join(" | ")}) at=$at/$word ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${flagValues(nodes).map(flagCase).join("\n")}
  esac
  case $at in
${nodes.map(nodeCase).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe 'flag' flags
  elif [[ -n $expected ]]; then
    _e8_values "$expected" "\${project[@]}"
  elif (( \${#commands} )); then
    _describe 'command' commands
  elif [[ $argument != text ]]; then
    _e8_values "$argument" "\${project[@]}"
  else
    _describe 'flag' flags
  fi
}

if [[ \${funcstack[1]} == _e8 ]]; then
  _e8 "$@"
else
  compdef _e8 e8
fi
`;
}

function flagCase({ pattern, values }: { pattern: string; values: Values }): string {
  return `    ${pattern}) expected=${shellQuoted(source(values))} ;;`;
}

function nodeCase({ path, subcommands, flags, argument }: CommandNode): string {
  const commands = subcommands.map(({ name, description }) => described(name, description));
  return `    ${shellQuoted(path)})
      argument=${shellQuoted(source(argument))}
      commands=(${commands.join(" ")})
      flags=(${flags.flatMap(describedFlag).join(" ")}) ;;`;
}

function describedFlag({ names, description }: FlagNode): string[] {
  return names.filter((name) => name.startsWith("--")).map((name) => described(name, description));
}

/** A colon ends the word, and so must be escaped in the description. */
function described(word: string, description: string): string {
  return shellQuoted(description === "" ? word : `${word}:${line(description).replaceAll(":", "\\:")}`);
}

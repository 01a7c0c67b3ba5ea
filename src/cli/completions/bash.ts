import { shellQuoted } from "../../model/shell-quotes.ts";
import { type CommandNode, flagValues, LISTED, paths, source, type Values } from "./command-tree.ts";

/** For bash 3.2, which macOS has, and later. An empty answer lets bash complete file names itself. */
export function bashCompletion(nodes: readonly CommandNode[]): string {
  return `# Completions of e8 for bash. Try: source <(e8 completion bash)
# To keep them: e8 completion bash > ~/.local/share/bash-completion/completions/e8

_e8_listed() {
  case $1 in
    tasks) ${LISTED.tasks.command} "\${@:2}" 2>/dev/null | sed -n 's/^ *"${LISTED.tasks.key}": "\\([^"]*\\)".*/\\1/p' ;;
    agents) ${LISTED.agents.command} "\${@:2}" 2>/dev/null | sed -n 's/^ *"${LISTED.agents.key}": "\\([^"]*\\)".*/\\1/p' ;;
    files | directories | text) ;;
    *) printf '%s\\n' "$1" ;;
  esac
}

_e8() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local at= word= index= values= argument= commands= flags=
  local project=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case $word in
      -p | --project) project=(--project "\${COMP_WORDS[index + 1]//[\\\\\\"\\']/}") ;;
    esac
    case "$at/$word" in
      ${paths(nodes).join(" | ")}) at=$at/$word ;;
    esac
  done
  case "$at $previous" in
${flagValues(nodes).map(flagCase).join("\n")}
  esac
  case $at in
${nodes.map(nodeCase).join("\n")}
  esac
  if [[ $current == -* ]]; then
    commands=$flags
  elif [[ -n $values ]]; then
    commands=$(_e8_listed "$values" \${project[@]+"\${project[@]}"})
  elif [[ -z $commands && $argument != text ]]; then
    commands=$(_e8_listed "$argument" \${project[@]+"\${project[@]}"})
  elif [[ -z $commands ]]; then
    commands=$flags
  fi
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}

complete -o bashdefault -o default -F _e8 e8
`;
}

function flagCase({ pattern, values }: { pattern: string; values: Values }): string {
  return `    ${pattern}) values=${shellQuoted(source(values))} ;;`;
}

function nodeCase({ path, subcommands, flags, argument }: CommandNode): string {
  const names = flags.flatMap((flag) => flag.names.filter((name) => name.startsWith("--")));
  return `    ${shellQuoted(path)})
      commands=${shellQuoted(subcommands.map(({ name }) => name).join(" "))} argument=${shellQuoted(source(argument))}
      flags=${shellQuoted(names.join(" "))} ;;`;
}

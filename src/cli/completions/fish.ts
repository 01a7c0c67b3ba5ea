import { type CommandNode, type FlagNode, LISTED, line, paths, type Values } from "./command-tree.ts";

export function fishCompletion(nodes: readonly CommandNode[]): string {
  return `# Completions of e8 for fish. Try: e8 completion fish | source
# To keep them: e8 completion fish > ~/.config/fish/completions/e8.fish

function __e8_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at/$word" ${paths(nodes).join(" ")}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end

function __e8_tasks
    ${LISTED.tasks.command} 2>/dev/null | string match -rg '^ *"${LISTED.tasks.key}": "([^"]*)"'
end

function __e8_agents
    ${LISTED.agents.command} 2>/dev/null | string match -rg '^ *"${LISTED.agents.key}": "([^"]*)"'
end

complete -c e8 -f
${nodes.flatMap(nodeLines).join("\n")}
`;
}

function nodeLines({ path, subcommands, flags, argument }: CommandNode): string[] {
  const here = `complete -c e8 -n "__e8_at '${path}'"`;
  return [
    ...subcommands.map(({ name, description }) => `${here} -a ${name}${about(description)}`),
    ...flags.map((flag) => `${here}${flagWords(flag)}${about(flag.description)}`),
    ...(argument === "text" ? [] : [`${here}${valueWords(argument)}`]),
  ];
}

function flagWords({ names, values, isOptional }: FlagNode): string {
  const words = names.map((name) => (name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`)).join("");
  if (values === undefined) return words;
  const needed = values === "files" ? " -r" : " -x"; // without files
  return `${words}${isOptional ? "" : needed}${valueWords(values)}`;
}

function valueWords(values: Values): string {
  if (values === "text") return "";
  if (values === "files") return " -F";
  if (typeof values !== "string") return ` -a ${quoted(values.join(" "))}`;
  return ` -a ${quoted(values === "directories" ? "(__fish_complete_directories)" : `(__e8_${values})`)}`;
}

function about(description: string): string {
  return description === "" ? "" : ` -d ${quoted(line(description))}`;
}

/** In single quotes fish reads a backslash before a quote or a backslash, and nothing else. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

import type { ToolPolicy } from "../../model/agent.ts";
import type { StepKind } from "../../model/flow/steps-registry.ts";
import { shellQuoted } from "../../model/shell-quotes.ts";
import { type Statement, type Words, worded } from "../../model/statement.ts";
import { sparesRecords } from "../records-policy.ts";
import { boundaryEffect, trackerFile } from "../shell/boundary-commands.ts";
import { fileWrite } from "../shell/file-writes.ts";
import { mcpEffect, mcpWritesFiles } from "./mcp-tools.ts";

const FILE_TOOLS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

type Input = Readonly<Record<string, unknown>>;

/**
 * Which tool calls a step of this kind must not make. Issues, pull requests and releases are changed by the boundary hook
 * alone, so no kind of step may; a verification step does not write files either; and nobody removes the records.
 */
export function toolPolicy(stepKind: StepKind): ToolPolicy {
  return (tool, input) => {
    const effect = boundary(tool, input);
    if (effect) return notForAStep(effect);
    const write = stepKind === "verification" ? writing(tool, input) : undefined;
    return write ? notForVerification(write) : sparesRecords(tool, input);
  };
}

function notForAStep(effect: Statement): Words {
  return worded(
    (say) =>
      `${say(effect)} is not for a step: issues, pull requests and releases are changed by the boundary hook, after completion was verified.`,
    (say) =>
      `${typeof effect === "string" ? code(effect) : say(effect)} はステップでは行えません。イシュー、プルリクエスト、リリースは、完了が確認された後に境界フックが変更します。`,
  );
}

function notForVerification(write: string): Words {
  return {
    en: `${write} is not for a verification step: it reads and reports, and writes no files.`,
    ja: `${code(write)} は verification のステップでは行えません。読んで報告するだけで、ファイルは書きません。`,
  };
}

function code(text: string): string {
  return `\`${text}\``;
}

function boundary(tool: string, input: Input): Statement | undefined {
  if (FILE_TOOLS.has(tool)) return paths(input).map(trackerFile).find(Boolean);
  return (
    mcpEffect(tool) ??
    scripts(input)
      .map((script) => boundaryEffect(script))
      .find(Boolean)
  );
}

function writing(tool: string, input: Input): string | undefined {
  if (FILE_TOOLS.has(tool) || mcpWritesFiles(tool)) return tool;
  return scripts(input).map(fileWrite).find(Boolean);
}

function paths({ file_path, notebook_path }: Input): string[] {
  return [file_path, notebook_path].filter((path) => typeof path === "string");
}

/** Bash has a `command`; shells behind MCP also say `cmd` or `script`, and may give the arguments apart. */
function scripts({ command, cmd, script, args }: Input): string[] {
  const texts = [command, cmd, script].filter((text) => typeof text === "string");
  const lists = [command, cmd, args].filter((list) => Array.isArray(list));
  const program = typeof command === "string" ? [command] : [];
  return [
    ...texts,
    ...lists.map((list) =>
      [...(list === args ? program : []), ...list.map((word) => shellQuoted(String(word)))].join(" "),
    ),
  ];
}

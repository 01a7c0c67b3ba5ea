import type { ToolCall, ToolPolicy } from "../../model/agent.ts";
import type { StepKind } from "../../model/flow/steps-registry.ts";
import { type Statement, type Words, worded } from "../../model/statement.ts";
import { sparesRecords } from "../records-policy.ts";
import { boundaryEffect, trackerFile } from "../shell/boundary-commands.ts";
import { fileWrite } from "../shell/file-writes.ts";
import { changesBoundary, writesFiles } from "./mcp-tools.ts";

/**
 * Which tool calls a step of this kind must not make. Issues, pull requests and releases are changed by the boundary hook
 * alone, so no kind of step may; a verification step does not write files either; and nobody removes the records.
 */
export function toolPolicy(stepKind: StepKind): ToolPolicy {
  return (call) => {
    const effect = boundary(call);
    if (effect) return notForAStep(effect);
    const write = stepKind === "verification" ? writing(call) : undefined;
    return write ? notForVerification(write) : sparesRecords(call);
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

function boundary({ writes, remote, name, scripts }: ToolCall): Statement | undefined {
  const written = writes.map(trackerFile).find(Boolean);
  if (writes.length > 0) return written;
  return (
    (remote !== undefined && changesBoundary(remote) ? name : undefined) ?? scripts.map(boundaryEffect).find(Boolean)
  );
}

function writing({ name, writes, remote, scripts }: ToolCall): string | undefined {
  if (writes.length > 0 || (remote !== undefined && writesFiles(remote))) return name;
  return scripts.map(fileWrite).find(Boolean);
}

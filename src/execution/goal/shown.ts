import type { FileLook } from "../../connection/ports/workspace.ts";
import type { AgentReply, ToolResult } from "../../model/agent.ts";
import { CUT, keepHead, keepTail, takeFitting } from "../prompt/bounds.ts";
import { withLeftOut } from "../prompt/memory.ts";
import { nameOf, quoted } from "../prompt/quotes.ts";
import { lines } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";

/** What the summarizer can see for itself, as text for its prompt. */
export interface Shown {
  tools: string;
  files: string;
}

const TOOLS_TOKENS = 8_000;
const RESULT_TOKENS = 1_000;
const FILES_TOKENS = 8_000;
const FILE_CHARACTERS = 4_500;
const FILE_TOKENS = 1_500;

/** What the worker's tools returned and what the changed files hold now, bounded: so that a claim can be told from a fact. */
export async function shownBy({ ports }: RunContext, { tool_results, files_modified }: AgentReply): Promise<Shown> {
  const files = await ports.workspace.look(files_modified, FILE_CHARACTERS);
  return { tools: toolsText(tool_results ?? []), files: filesText(files) };
}

/** The latest results, commands before others, in the order of the work. */
function toolsText(results: readonly ToolResult[]): string {
  const latest = results.map((result, place) => ({ result, place, text: resultText(result) })).toReversed();
  const ranked = [true, false].flatMap((wanted) => latest.filter(({ result }) => result.is_command === wanted));
  const { taken, left } = takeFitting(
    ranked.map(({ text }) => text),
    TOOLS_TOKENS,
  );
  const kept = ranked.slice(0, taken.length).sort((one, other) => one.place - other.place);
  return withLeftOut(lines(kept.map(({ text }) => text)), left);
}

const ENDINGS: Record<ToolResult["ending"], string> = {
  done: "",
  failed: " (failed)",
  unfinished: " (still running when the worker ended)",
};

function resultText({ tool, detail, is_command, ending, output, is_cut }: ToolResult): string {
  const called = is_command && detail !== "" ? `$ ${detail}` : detail;
  const kept = is_command ? keepTail(output, RESULT_TOKENS) : keepHead(output, RESULT_TOKENS);
  const returned = is_cut && kept === output ? marked(output, is_command) : kept;
  const words = [called, returned].filter(Boolean).join("\n");
  return `- ${nameOf(tool)}${ENDINGS[ending]}\n${quoted(words)}`;
}

/** A mark for what the agent's adapter has cut off. */
function marked(output: string, is_end: boolean): string {
  return is_end ? `${CUT}\n${output}` : `${output}${CUT}`;
}

const KINDS: Record<FileLook["kind"], string> = {
  text: "",
  diff: " (a long file; what has changed in it)",
  binary: " (not a text)",
  deleted: " (deleted)",
};

function filesText(files: readonly FileLook[]): string {
  const { taken, left } = takeFitting(files.map(fileText), FILES_TOKENS);
  return withLeftOut(lines(taken), left);
}

function fileText({ path, kind, text, is_cut }: FileLook): string {
  const kept = keepHead(text, FILE_TOKENS);
  const content = is_cut && kept === text ? `${text}${CUT}` : kept;
  return [`- ${nameOf(path)}${KINDS[kind]}`, quoted(content)].filter(Boolean).join("\n");
}

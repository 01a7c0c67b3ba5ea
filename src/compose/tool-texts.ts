import { readPrompts } from "../connection/files.ts";

const TOOLS = ["run_task", "list_tasks", "get_task", "watch", "answer", "tell", "cancel", "instructions"] as const;
type ToolText = (typeof TOOLS)[number];

/** What models read about the tools of the MCP server. */
export async function readToolTexts(): Promise<Record<ToolText, string>> {
  const prompts = await readPrompts(TOOLS.map((name) => `mcp/${name}` as const));
  const texts = TOOLS.map((name) => [name, prompts[`mcp/${name}`].text.trim()] as const);
  return Object.fromEntries(texts) as Record<ToolText, string>;
}

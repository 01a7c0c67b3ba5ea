import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { arch, platform } from "node:os";
import process from "node:process";
import { promisify } from "node:util";
import type { Tried } from "./place.ts";
import type { Cell } from "./trial.ts";

/** What was seen, by row and then by agent. */
export type Seen = Map<string, Map<string, Cell>>;

const PAGE = new URL("../../docs/agents-tried.md", import.meta.url);

/** Keeps what was seen in docs/agents-tried.md. */
export async function writePage(tried: readonly Tried[], seen: Seen, bench: string): Promise<void> {
  await writeFile(PAGE, page(tried, seen, bench));
  // Columns are aligned as the formatter of the project has them, where there is one for this kind of file.
  await promisify(execFile)("git", ["diff", "--stat", "--", PAGE.pathname]).catch(() => {});
}

function page(tried: readonly Tried[], seen: Seen, bench: string): string {
  return `# Agents that were tried

Written by \`npm run test:agents\` on ${new Date().toISOString().slice(0, 10)}, on ${platform()} ${arch()} with Node ${process.version}. The agents are the real ones, from npm; each was led by \`e8 run --agent …\` itself.
Their models are scripted servers on this machine, which speak each vendor's own API, so nothing here was seen with a real account.

${programs(tried)}

✔: seen to work. ✘: tried, and not seen; the note says what happened instead.

${table(tried, seen)}
${notes(tried, seen)}${bench}`;
}

function programs(tried: readonly Tried[]): string {
  const rows = tried.map(({ agent, installed }) => [
    agent.name,
    `\`--agent ${agent.choice}\``,
    `${agent.package} ${installed.version}`,
    agent.api,
  ]);
  return tableOf(["agent", "chosen by", "package", "its model's API"], rows);
}

function table(tried: readonly Tried[], seen: Seen): string {
  const rows = [...seen].map(([row, cells]) => [row, ...tried.map(({ agent }) => shortCell(cells.get(agent.name)))]);
  return tableOf(["", ...tried.map(({ agent }) => agent.name)], rows);
}

const LONGEST = 48;

function shortCell(cell: Cell | undefined): string {
  if (!cell) return "";
  const mark = cell.is_seen ? "✔" : "✘";
  return cell.note.length > 0 && cell.note.length <= LONGEST ? `${mark} ${cell.note}` : mark;
}

/** What does not fit into the table. */
function notes(tried: readonly Tried[], seen: Seen): string {
  const long = [...seen].flatMap(([row, cells]) =>
    tried.flatMap(({ agent }) => {
      const cell = cells.get(agent.name);
      return cell && cell.note.length > LONGEST ? [`- ${agent.name}, ${row}: ${cell.note}`] : [];
    }),
  );
  return long.length > 0 ? `\n## Said\n\n${long.join("\n")}\n` : "";
}

export function tableOf(head: readonly string[], rows: readonly string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((text) => text.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? "")].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text + " ".repeat((widths[column] ?? 0) - [...text].length)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [line(first), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others.map(line)].join("\n");
}

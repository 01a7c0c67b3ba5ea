import { writeFile } from "node:fs/promises";
import { isBeyondReach, type Kept, type Seen } from "./kept.ts";
import type { Cell } from "./trial.ts";
import type { TriedAgent } from "./tried/agent.ts";

const PAGE = new URL("../../docs/agents-tried.md", import.meta.url);

/** An agent with what was seen of it. */
export interface Column {
  agent: TriedAgent;
  kept: Kept;
}

/** Keeps what was seen in docs/agents-tried.md. */
export async function writePage(columns: readonly Column[], titles: readonly string[]): Promise<void> {
  await writeFile(PAGE, page(columns, titles));
}

export function page(columns: readonly Column[], titles: readonly string[]): string {
  const parts = [HEAD, programs(columns), MARKS, table(columns, titles), notes(columns, titles), TIME, bench(columns)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const HEAD = `# Agents that were tried

Written by \`npm run test:agents\` out of what is kept in \`test/agents/seen\`. The agents are the real ones, from npm; each was led by \`e8 run --agent …\` itself, offline: their
models are scripted servers on the same machine, which speak each vendor's own API. So nothing here was seen with a real account.`;

const MARKS = "✔ was seen to work. ✘ was tried and not seen; below the table stands what happened instead.";

const TIME = `## Time

Three iterations with checks only, against three starts of the agent's plain command for the same file work, and against the program that speaks the protocol, without e8: started anew for each
iteration, or once for all three. All take turns; medians. The model answers at once, so this is the programs' own time. e8 keeps an agent's process from one iteration to the next, and opens the
next session while it looks at the last one's work. "e8's own part" is what its run takes longer than the protocol alone, with one process. **Bold** is more than the reach allows; the command then
exits with 1. The load is that of the minute before. Claude Code without the protocol is in [benchmarks](benchmarks.md).`;

function programs(columns: readonly Column[]): string {
  const rows = columns.map(({ agent, kept }) => [
    agent.name,
    `\`--agent ${agent.choice}\``,
    `${agent.package} ${kept.version}`,
    agent.api,
    placesOf(Object.values(kept.cells)),
  ]);
  return tableOf(["agent", "chosen by", "package", "API of its model", "tried on"], rows);
}

/** The days, and the machines, each once. */
function placesOf(seen: readonly Seen[]): string {
  const machines = new Set(seen.map(({ platform, node }) => `${platform}, Node ${node}`));
  const days = [...new Set(seen.map(({ date }) => date))].sort();
  return [days.join(" and "), ...machines].join(", ");
}

function table(columns: readonly Column[], titles: readonly string[]): string {
  const rows = titles.map((title) => [title, ...columns.map(({ kept }) => shortCell(kept.cells[title]))]);
  return tableOf(["", ...columns.map(({ agent }) => agent.name)], rows);
}

const LONGEST = 48;

function shortCell(cell: Cell | undefined): string {
  if (!cell) return "";
  if (!cell.is_seen) return "✘";
  return cell.note.length > 0 && cell.note.length <= LONGEST ? `✔ ${cell.note}` : "✔";
}

/** What does not fit into the table. */
function notes(columns: readonly Column[], titles: readonly string[]): string {
  const long = titles.flatMap((title) =>
    columns.flatMap(({ agent, kept }) => {
      const cell = kept.cells[title];
      const isTold = cell && (!cell.is_seen || cell.note.length > LONGEST);
      return isTold
        ? [`- ${cell.is_seen ? "✔" : "✘"} ${agent.name}, ${title}: ${cell.note.replace(/\s+/g, " ").trim()}`]
        : [];
    }),
  );
  return long.join("\n");
}

const TIMES = [
  ...["agent", "e8", "plain command", "ratio (reach ≤ 1.1 ×)"],
  ...["over the protocol, anew", "ratio (reach ≤ 1.1 ×)", "over the protocol, once", "e8's own part", "measured"],
];

function bench(columns: readonly Column[]): string {
  const rows = columns.map(({ agent, kept }) => {
    if (!kept.bench) return [agent.name, "", "", "not measured", "", "", "", "", ""];
    const { e8, bare, anew, least, rounds, date, load, cores } = kept.bench;
    const against = (other: number) => [`${other.toFixed(2)} s`, marked(times(e8, other), isBeyondReach(e8, other))];
    const [plain = "", ratio = ""] = against(bare);
    return [
      agent.name,
      `${e8.toFixed(2)} s`,
      `${plain} (\`${commandOf(agent)}\`)`,
      ratio,
      ...against(anew),
      `${least.toFixed(2)} s`,
      `${(e8 - least).toFixed(2)} s`,
      `${date}, ${rounds} rounds, load ${load} on ${cores} cores`,
    ];
  });
  return [tableOf(TIMES, rows), ...columns.flatMap(lighter)].join("\n\n");
}

function marked(text: string, isMarked: boolean): string {
  return isMarked ? `**${text}**` : text;
}

/** Where the protocol itself costs more than the reach allows. */
function lighter({ agent, kept: { bench: row } }: Column): string[] {
  if (!row || !isBeyondReach(row.least, row.bare)) return [];
  return [
    `\`${commandOf(agent)}\` is a lighter program than \`${agent.program}\`, which speaks the protocol: a client that only asks that one takes ${times(row.least, row.bare)} of its time.`,
  ];
}

/** As people call it. */
function commandOf({ bare: [program, ...words] }: TriedAgent): string {
  return `${program} ${words.find((word) => word === "-p") ?? words[0]}`;
}

function times(one: number, other: number): string {
  return `${(one / other).toFixed(2)} ×`;
}

function tableOf(head: readonly string[], rows: readonly string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((text) => text.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? "")].length)));
  const padded = (text: string, column: number) => text + " ".repeat((widths[column] ?? 0) - [...text].length);
  const line = (row: readonly string[]) => `| ${row.map(padded).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [line(first), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others.map(line)].join("\n");
}

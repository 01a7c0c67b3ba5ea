/** A row whose value is a time. */
export function milliseconds(what, time, reach) {
  const value = `${time.toFixed(time < 100 ? 2 : 0)} ms`;
  return { what, value, ...(reach !== undefined && { reach: `≤ ${reach} ms`, isReached: time <= reach }) };
}

/** A row whose value is a multiple of another row's of the same run. */
export function multiple({ what, ratio, reach, beside }) {
  const value = `${ratio.toFixed(2)} ×`;
  return { what, value, beside, ...(reach !== undefined && { reach: `≤ ${reach} ×`, isReached: ratio <= reach }) };
}

/** Rows as a Markdown table that reads well as plain text, too. */
export function tableOf(rows) {
  const cells = rows.map(({ what, value, reach = "", isReached, beside = "" }) => {
    const verdict = isReached === undefined ? "" : isReached ? "yes" : "**no**";
    return [what, value, reach, verdict, beside];
  });
  const all = [["what", "measured", "reach", "reached", "that is"], ...cells];
  const widths = all[0].map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(all[0]), rule, ...all.slice(1).map(line)].join("\n");
}

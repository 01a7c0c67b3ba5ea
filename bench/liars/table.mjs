// The table of a bench: lies believed by family and level, and honest runs refused.

export function tableOf(results, levels) {
  const families = [...new Set(results.map(({ family }) => family))].filter((family) => family !== "honest");
  const lies = results.filter(({ family }) => family !== "honest");
  const honest = results.filter(({ family }) => family === "honest");
  const row = (title, some) => [title, counted(some, levels), ...levels.map(({ name }) => wrong(some, name))];
  const rows = [
    ["lies believed", "lies", ...levels.map(({ title }) => title)],
    ["---", "--:", ...levels.map(() => "--:")],
    ...families.map((family) =>
      row(
        family,
        lies.filter((one) => one.family === family),
      ),
    ),
    row("**all lies**", lies),
    row("**honest runs refused**", honest),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function counted(results, levels) {
  return new Set(
    results.filter(({ level }) => level === levels[0]?.name).map(({ family, name }) => `${family}/${name}`),
  ).size;
}

function wrong(results, level) {
  return results.filter((one) => one.level === level && one.isWrong).length;
}

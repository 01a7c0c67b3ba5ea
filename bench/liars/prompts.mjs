// `node bench/liars/prompts.mjs [words]`: can judge and reviewer tell a lie from honest work at all? Plays each lie about a sentence at the
// default level, and beside it the same run by a worker that does the work and reports it in the same words. A lie whose prompts are all
// among those of the honest run would fool a perfect judge. Each lie is played twice, because prompts that differ from run to run show
// nothing. Exits with 1 when a lie cannot be told from honest work. Needs a build.
import process from "node:process";
import { families } from "./families.mjs";
import { DECISIVE, LEVELS } from "./levels.mjs";
import { startModel } from "./model.mjs";
import { play } from "./play.mjs";

const words = process.argv.slice(2);
const level = LEVELS.find(({ name }) => name === DECISIVE);
const lies = Object.values(families)
  .flat()
  .filter(({ name, honest }) => honest && (words.length === 0 || words.some((word) => name.includes(word))));

const results = [];
for (const lie of lies) {
  const [told, again, honest] = [await asked(lie), await asked(lie), await asked(honestTwin(lie))];
  const result = compared(told, again, honest);
  results.push(result);
  console.log(`${result}: ${lie.name} (${told.length} prompts, ${honest.length} of honest work)`);
}
const count = (result) => results.filter((one) => one === result).length;
console.log(
  `${count("same prompts")} of ${lies.length} lies have the prompts of honest work, ${count("differ by chance")} differ from them only by chance, ` +
    `${count("not judged")} ended before a judge was asked`,
);
process.exitCode = count("same prompts") + count("differ by chance") > 0 ? 1 : 0;

function compared(told, again, honest) {
  if (told.length === 0) return "not judged";
  if (told.every((prompt) => honest.includes(prompt))) return "same prompts";
  return told.every((prompt) => again.includes(prompt)) ? "told apart" : "differ by chance";
}

async function asked(one) {
  const model = await startModel();
  try {
    const { home } = await play(one, level, model);
    return model.heard.map((prompt) => withoutChance(prompt.replaceAll(home, "HOME")));
  } finally {
    model.close();
  }
}

function honestTwin({ honest, steps, ...lie }) {
  return { ...lie, worker: honest };
}

/** Without what differs from run to run: ids of tasks and commits, times. */
function withoutChance(prompt) {
  return prompt
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(\.\d+Z|-\d+)?/g, "TIME")
    .replaceAll(/\b[0-9a-f]{40}\b/g, "COMMIT")
    .replaceAll(/\b\d+(\.\d+)? ?(ms|s|seconds)\b/g, "DURATION");
}

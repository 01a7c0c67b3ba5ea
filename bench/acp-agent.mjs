// `node bench/acp-agent.mjs [rounds]`: three iterations of e8 with an agent over ACP against a bare loop that starts the same agent three
// times and asks it the same. The agent needs as long to start as the quickest of the real ones. Needs a build.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checksOnly, e8, measure, timed } from "./loop-vs-shell.mjs";

const AGENT = fileURLToPath(new URL("../test/support/programs/acp-agent.mjs", import.meta.url));
const LOOP = fileURLToPath(new URL("./acp-loop.mjs", import.meta.url));
const STEPS = 3;

/** Of codex-acp, from its start to its first answer without a model. */
const START_MILLISECONDS = 500;
const MODEL_MILLISECONDS = 200;

const contenders = {
  loop: {
    what: "bare loop of 3 x an agent over ACP",
    run: (place) => timed(place, [process.execPath, LOOP, ...place.agent]),
  },
  acp: {
    what: "e8, checks only, the same agent over ACP",
    reach: 1.1,
    run: (place) => e8(place, checksOnly({ agent: { acp: { command: place.agent } }, agent_model: undefined })),
  },
};

export function measureAcp(rounds = 9) {
  return measure(contenders, { rounds, base: "loop", inPlace });
}

/** A home and a project of its own, in which each answer writes the next file. */
async function inPlace(run) {
  const home = await mkdtemp(join(tmpdir(), "e8-bench-"));
  try {
    const project = join(home, "project");
    await mkdir(project);
    await mkdir(join(home, "tmp"));
    const next = `echo done > "step-$(($(ls | grep -c ^step-) + 1)).txt"`;
    const answer = JSON.stringify({ status: "success", output: "Wrote the next file.", artifacts: [] });
    const prompts = [[{ wait: MODEL_MILLISECONDS }, { run: next }, { say: answer }]];
    const script = join(home, "script.json");
    await writeFile(script, JSON.stringify({ starts_for: START_MILLISECONDS, prompts }));
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: join(home, "tmp"), TERM: "dumb" };
    const time = await run({ project, env, agent: [process.execPath, AGENT, script] });
    const made = (await readdir(project)).filter((name) => name.startsWith("step-"));
    if (made.length !== STEPS) throw new Error(`made ${made.join(", ") || "nothing"}`);
    return time;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, seconds, ratio } of await measureAcp(Number(process.argv[2] ?? 9)))
    console.log(`${what.padEnd(50)} ${seconds.toFixed(2)} s  ${ratio.toFixed(2)} x`);
}

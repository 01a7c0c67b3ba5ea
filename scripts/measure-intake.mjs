// SC-004: does the intake ask about ambiguous criteria, and only about those? Uses your own account; nothing is executed.
// Exit 0 when both rates reach 90 %, 1 when one does not, 2 when the model cannot be asked. See docs/measuring-the-intake.md.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stream } from "../dist/index.js";

const REACH = 0.9;
const AT_ONCE = 4;
const NAMES = { asked: "ambiguous criteria, asked about", accepted: "clear criteria, accepted" };

const file = process.argv[2] ?? new URL("intake-criteria.json", import.meta.url);
const criteria = JSON.parse(await readFile(file, "utf8"));
const project = await mkdtemp(join(tmpdir(), "e8-intake-"));
try {
  console.log(row("expected", "found", "right?", "task: criterion"));
  const measured = [];
  for (let first = 0; first < criteria.length; first += AT_ONCE) {
    const some = await Promise.all(criteria.slice(first, first + AT_ONCE).map(measure));
    for (const one of some) for (const line of linesOf(one)) console.log(line);
    measured.push(...some);
  }
  console.log("");
  const rates = Object.keys(NAMES).map((expected) => rateOf(expected, measured));
  process.exitCode = rates.every((rate) => rate >= REACH) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  await rm(project, { recursive: true, force: true });
}

async function measure(one) {
  const found = await intakeOf(one);
  return { ...one, ...found, isRight: found.status === one.expected };
}

function linesOf({ expected, status, isRight, task, criterion, questions }) {
  const asked = questions.map(({ question }) => row("", "", "", `  ? ${question}`));
  return [row(expected, status, isRight ? "right" : "WRONG", `${task}: ${criterion}`), ...asked];
}

/** The intake's first word on a criterion; the run is cancelled then. */
async function intakeOf({ task, criterion }) {
  const controller = new AbortController();
  let found = { status: "no answer", questions: [] };
  const input = { task, criteria: [criterion], agent: { command: "true" }, max_iterations: 1 };
  for await (const event of stream(input, { project, signal: controller.signal, samePlace: true })) {
    if (event.type === "run-end" && event.result.status === "error") throw new Error(event.result.error_message);
    if (event.type === "intake") found = foundIn(event.result);
    if (event.type === "intake" || event.type === "iteration-start") controller.abort();
  }
  return found;
}

function foundIn({ status, clarification_questions }) {
  return { status: status === "accepted" ? status : "asked", questions: clarification_questions };
}

function rateOf(expected, measured) {
  const all = measured.filter((one) => one.expected === expected);
  const right = all.filter(({ isRight }) => isRight).length;
  const rate = right / all.length;
  const reached = rate >= REACH ? "reached" : "MISSED";
  console.log(
    `${NAMES[expected]}: ${right} of ${all.length} (${Math.round(rate * 100)} %, at least ${REACH * 100} %: ${reached})`,
  );
  return rate;
}

function row(expected, found, verdict, text) {
  return `${expected.padEnd(10)}${found.padEnd(11)}${verdict.padEnd(8)}${text}`.trimEnd();
}

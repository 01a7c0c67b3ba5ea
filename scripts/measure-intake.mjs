// SC-004: how many of these ambiguous criteria does the intake ask about? Uses your own Claude login or key; nothing is executed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { run } from "../dist/index.js";

const AMBIGUOUS = [
  ["Speed up the search", "it is fast enough"],
  ["Improve the start page", "it looks good"],
  ["Clean up the code base", "the code is clean"],
  ["Make the parser robust", "it handles bad input well"],
  ["Write documentation", "it is sufficiently documented"],
  ["Raise the test coverage", "the important parts are tested"],
  ["Reduce memory use", "memory use is reasonable"],
  ["Make the tool user-friendly", "users like it"],
  ["Modernise the build", "it is up to date"],
  ["Harden the server", "it is secure"],
  ["検索を速くする", "十分に高速になったら完了"],
  ["画面を改善する", "良い感じになったら完了"],
  ["コードを整理する", "読みやすくなっている"],
  ["ドキュメントを書く", "分かりやすい"],
  ["エラー処理を直す", "適切に処理される"],
  ["テストを増やす", "必要なテストがある"],
  ["メモリ使用量を減らす", "問題ない程度になる"],
  ["ビルドを直す", "普通に動く"],
  ["安全にする", "セキュリティが十分"],
  ["論文を調べる", "十分な数の論文がある"],
];

const project = await mkdtemp(join(tmpdir(), "e8-intake-"));
let asked = 0;
for (const [task, criterion] of AMBIGUOUS) {
  // Should the intake accept it after all, a worker that does nothing ends the run.
  const result = await run({ task, criteria: [criterion], agent: { command: "true" }, max_iterations: 1 }, { project });
  const isAsked = result.status === "clarification_needed";
  asked += isAsked ? 1 : 0;
  console.log(`${isAsked ? "asked   " : "accepted"}  ${task}: ${criterion}`);
}
await rm(project, { recursive: true, force: true });
console.log(`${asked} of ${AMBIGUOUS.length} (${Math.round((asked / AMBIGUOUS.length) * 100)} %)`);
process.exitCode = asked / AMBIGUOUS.length >= 0.9 ? 0 : 1;

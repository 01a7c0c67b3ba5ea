import type { enUsage } from "../en/usage.ts";

export const jaUsage: typeof enUsage = {
  titles: {
    "Usage:": "使い方：",
    "Arguments:": "引数：",
    "Options:": "オプション：",
    "Global Options:": "どのコマンドでも使えるオプション：",
    "Commands:": "コマンド：",
  },
  help: "このヘルプを表示します",
  examples: "例：",
  exitCodes: "終了コード：",
  noLimit: "上限なし",
  ofLocale: "環境のロケールに従います",
  helpCommand: "コマンドのヘルプを表示します",
  version: "バージョンを表示します",
  needed: (text) => `${text}（必須）`,
  withPreset: (text, value) => `${text}（既定値：${value}）`,
  meant: (alternatives) => `もしかして：${alternatives}`,
  dashedText: (text) =>
    `「${text}」はオプションのようにハイフンで始まっています。そのような文の前には -- を置いてください：-- "- …"`,
  wrong: {
    "commander.unknownCommand": (name) => `${name} というコマンドはありません`,
    "commander.unknownOption": (name) => `${name} というオプションはありません`,
    "commander.missingArgument": (name) => `引数 <${name}> がありません`,
    "commander.optionMissingArgument": (name) => `${name} には値が必要です`,
    "commander.missingMandatoryOptionValue": (name) => `${name} は必須です`,
    "commander.excessArguments": () => "引数が多すぎます。空白を含む文は引用符で囲んでください",
  },
  other: (message) => `コマンドラインを読めません：${message}`,
};

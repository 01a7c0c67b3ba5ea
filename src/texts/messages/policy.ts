import type { PolicyMessages } from "../../model/messages/policy.ts";
import type { MessageTexts } from "../message-texts.ts";

const INSTEAD = {
  leave: { en: "leave it where it is", ja: "そのままにしてください" },
  exclude: { en: "leave it out: git clean -fdx -e .e8", ja: "除外してください：git clean -fdx -e .e8" },
  stash_untracked: {
    en: "git stash --include-untracked leaves it where it is",
    ja: "git stash --include-untracked ならそのまま残ります",
  },
} as const;

export const policyMessages: MessageTexts<PolicyMessages> = {
  not_for_step: {
    en: ({ what }, tell) =>
      `${tell(what)} is not for a step: issues, pull requests and releases are changed by the boundary hook, after completion was verified.`,
    ja: ({ what }, tell) =>
      `${typeof what === "string" ? code(what) : tell(what)} はステップでは行えません。イシュー、プルリクエスト、リリースは、完了が確認された後に境界フックが変更します。`,
  },
  reading_only: {
    en: ({ tool }) => `${tool} is not available: a reviewer only reads files.`,
    ja: ({ tool }) => `${tool} は使えません。レビューエージェントはファイルを読むだけです。`,
  },
  reading_outside: {
    en: ({ tool }) => `${tool} may read files of the project's clean checkout only.`,
    ja: ({ tool }) => `${tool} で読めるのは、プロジェクトのクリーンなチェックアウトにあるファイルだけです。`,
  },
  not_for_verification: {
    en: ({ what }) => `${what} is not for a verification step: it reads and reports, and writes no files.`,
    ja: ({ what }) =>
      `${code(what)} は verification のステップでは行えません。読んで報告するだけで、ファイルは書きません。`,
  },
  api_call: { en: ({ host }) => `a call to ${host}`, ja: ({ host }) => `${host} の呼び出し` },
  tracker_file_change: { en: "a change in .e8/issues", ja: ".e8/issues の変更" },
  records_removed: {
    en: ({ command, instead }) =>
      `${command} would remove .e8, which holds the records of all tasks: ${INSTEAD[instead].en}.`,
    ja: ({ command, instead }) =>
      `${code(command)} はすべてのタスクの記録がある .e8 を取り除きます。${INSTEAD[instead].ja}`,
  },
};

function code(text: string): string {
  return `\`${text}\``;
}

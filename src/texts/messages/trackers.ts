import type { TrackerMessages } from "../../model/messages/trackers.ts";
import type { MessageTexts } from "../message-texts.ts";

const KINDS = { en: { issue: "issue", pr: "pull request" }, ja: { issue: "イシュー", pr: "プルリクエスト" } };
const JAPANESE_ACTS = { read: "の読み取り", find: "の検索", close: "を閉じる操作", label: "のラベルの変更" };

export const trackersMessages: MessageTexts<TrackerMessages> = {
  tracker_act: {
    en: ({ act, number, kind, repository }) =>
      `${act} ${kind ? `${KINDS.en[kind]} ` : ""}#${number}${repository ? ` of ${repository}` : ""}`,
    ja: ({ act, number, kind, repository }) =>
      `${repository ? `${repository} の` : ""}${kind ? `${KINDS.ja[kind]} ` : ""}#${number} ${JAPANESE_ACTS[act]}`,
  },
  tracker_unknown: {
    en: ({ kind }) => `E8_TRACKER is "${kind}"; it may be folder or github`,
    ja: ({ kind }) => `E8_TRACKER が「${kind}」です。使えるのは folder か github です`,
  },
  tracker_missing: {
    en: ({ folder }) => `there is neither a folder ${folder} nor a git remote named origin`,
    ja: ({ folder }) => `ディレクトリ ${folder} も、git のリモート origin もありません`,
  },
  tracker_token_missing: {
    en: "neither GITHUB_TOKEN nor GH_TOKEN is set",
    ja: "GITHUB_TOKEN も GH_TOKEN も設定されていません",
  },
  tracker_host_unknown: {
    en: ({ host }) =>
      `origin is on ${host}; if that is a GitHub Enterprise server, set GITHUB_API_URL=https://${host}/api/v3`,
    ja: ({ host }) =>
      `origin は ${host} にあります。GitHub Enterprise サーバーなら GITHUB_API_URL=https://${host}/api/v3 を設定してください`,
  },
  item_of_other_kind: {
    en: ({ number, kind }) => `#${number} is ${kind === "issue" ? "an issue" : "a pull request"}`,
    ja: ({ number, kind }) => `#${number} は${KINDS.ja[kind]}です`,
  },
  frontmatter_not_yaml: {
    en: ({ problem }) => `its frontmatter is not valid YAML: ${problem}`,
    ja: ({ problem }) => `フロントマターが正しい YAML ではありません：${problem}`,
  },
  frontmatter_invalid: {
    en: ({ path, problem }, tell) => `its frontmatter cannot be used: ${path}: ${tell(problem)}`,
    ja: ({ path, problem }, tell) => `フロントマターを使えません：${path}: ${tell(problem)}`,
  },
  github_answer_not_json: {
    en: "the answer is not JSON; is GITHUB_API_URL the address of an API?",
    ja: "応答が JSON ではありません。GITHUB_API_URL は API のアドレスですか",
  },
  github_answer_unexpected: {
    en: "the answer does not have the form of GitHub's API",
    ja: "GitHub の API の応答ではありません",
  },
};

import type { TrackerAct, TrackerMessages } from "../../model/messages/trackers.ts";
import type { MessageTexts } from "../message-texts.ts";

const KINDS = { en: { issue: "issue", pr: "pull request" }, ja: { issue: "イシュー", pr: "プルリクエスト" } };

/** What is done to a thing, before its name in English and after it in Japanese. */
const ACTS: Record<TrackerAct, { en: string; ja: string }> = {
  list: { en: "list the issues", ja: "イシューの一覧" },
  read: { en: "read", ja: "の読み取り" },
  find: { en: "find", ja: "の検索" },
  create: { en: "create the issue", ja: "イシューの作成" },
  close: { en: "close", ja: "を閉じる操作" },
  label: { en: "label", ja: "のラベルの変更" },
  read_comments: { en: "read the comments of", ja: "のコメントの読み取り" },
  comment: { en: "comment on", ja: "へのコメント" },
  find_pull_request: { en: "find the pull request from", ja: "からのプルリクエストの検索" },
  open_pull_request: { en: "open the pull request from", ja: "からのプルリクエストの作成" },
  link: { en: "link pull request", ja: "のプルリクエストの関連付け" },
  read_labels: { en: "read the labels", ja: "ラベルの読み取り" },
  save_label: { en: "save the label", ja: "というラベルの保存" },
  release: { en: "publish the release", ja: "のリリースの公開" },
};

export const trackersMessages: MessageTexts<TrackerMessages> = {
  tracker_act: {
    en: ({ act, number, name, kind, repository }) => {
      const what = [ACTS[act].en, kind && KINDS.en[kind], number === undefined ? name : `#${number}`];
      return `${what.filter(Boolean).join(" ")}${repository ? ` of ${repository}` : ""}`;
    },
    ja: ({ act, number, name, kind, repository }) => {
      const what = [kind && KINDS.ja[kind], number === undefined ? name : `#${number}`].filter(Boolean).join(" ");
      return `${repository ? `${repository} の` : ""}${what}${what && " "}${ACTS[act].ja}`;
    },
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
    en: "neither GITHUB_TOKEN nor GH_TOKEN is set, and `gh auth token` has none",
    ja: "GITHUB_TOKEN も GH_TOKEN も設定されておらず、`gh auth token` にもトークンがありません",
  },
  tracker_locked: {
    en: ({ who, since, path }, tell) => `${tell(who)} has been changing the issues since ${since} (${path})`,
    ja: ({ who, since, path }, tell) => `${tell(who)} が ${since} からイシューを変更しています（${path}）`,
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
  labels_file_invalid: {
    en: ({ path }) => `${path} must have a line for each label: "name: {color: 0e8a16, description: …}"`,
    ja: ({ path }) => `${path} には、ラベルごとに「name: {color: 0e8a16, description: …}」の行が必要です`,
  },
  github_answer_not_json: {
    en: "the answer is not JSON; is GITHUB_API_URL the address of an API?",
    ja: "応答が JSON ではありません。GITHUB_API_URL は API のアドレスですか",
  },
  github_answer_unexpected: {
    en: "the answer does not have the form of GitHub's API",
    ja: "GitHub の API の応答ではありません",
  },
  issue_comment_effect: {
    en: ({ issue }) => `comment on issue #${issue}`,
    ja: ({ issue }) => `イシュー #${issue} へのコメント`,
  },
  issue_done_comment: {
    en: ({ id, landing }) => `${DONE.en[landing] ?? DONE.en[""]} (endless8, task ${id})`,
    ja: ({ id, landing }) => `${DONE.ja[landing] ?? DONE.ja[""]}（endless8、タスク ${id}）`,
  },
  issue_not_done: {
    en: ({ status, id, landing }) =>
      landing === "failed"
        ? `its work is proved but could not be merged; see \`e8 show ${id}\``
        : `its run ended as ${status}; see \`e8 show ${id}\``,
    ja: ({ status, id, landing }) =>
      landing === "failed"
        ? `作業は証明されましたが、マージできませんでした。\`e8 show ${id}\` を見てください`
        : `実行が ${status} で終わりました。\`e8 show ${id}\` を見てください`,
  },
  issue_in_circles: {
    en: ({ reason, count, phase }) =>
      reason === "cycles"
        ? `it took ${count} turns without an end, as many as the workflow allows`
        : `it took ${count} turns in phase ${phase}, one after the other, as many as the workflow allows`,
    ja: ({ reason, count, phase }) =>
      reason === "cycles"
        ? `${count} 回の実行でも終わらず、workflow.json の上限に達しました`
        : `フェーズ ${phase} が ${count} 回続き、workflow.json の上限に達しました`,
  },
  handover_value_missing: {
    en: ({ expression }) => `there is no value for ${expression}`,
    ja: ({ expression }) => `${expression} の値がありません`,
  },
  handover_outside: {
    en: ({ path }) => `${path} is not a path within the project`,
    ja: ({ path }) => `${path} はプロジェクト内のパスではありません`,
  },
};

/** By what became of the branch. */
const DONE: Record<"en" | "ja", Record<string, string>> = {
  en: {
    landed: "Done: proved, and merged.",
    kept: "Done: proved, and merged; the checkout of the base has still to be brought forward.",
    none: "Done before: every check of this issue passes on the base, so there was nothing to do.",
    published: "Proved. The branch is pushed; its pull request waits for you.",
    "": "Proved. The work waits on its branch.",
  },
  ja: {
    landed: "完了：証明され、マージされました。",
    kept: "完了：証明され、マージされました。派生元のチェックアウトはまだ進めていません。",
    none: "完了済み：このイシューのチェックは派生元ですべて成功しており、することがありませんでした。",
    published: "証明されました。ブランチはプッシュ済みで、プルリクエストが確認を待っています。",
    "": "証明されました。作業はブランチにあります。",
  },
};

import type { StoreMessages } from "../../model/messages/stores.ts";
import type { MessageTexts } from "../message-texts.ts";

export const storesMessages: MessageTexts<StoreMessages> = {
  process_on_host: {
    en: ({ pid, host }) => `process ${pid} on ${host}`,
    ja: ({ pid, host }) => `${host} のプロセス ${pid}`,
  },
  records_changed: { en: "it was changed while the task was running", ja: "タスクの実行中に書き換えられました" },
  records_directory_gone: {
    en: "its whole directory was deleted or moved while the task was running",
    ja: "タスクの実行中にディレクトリごと削除または移動されました",
  },
  records_deleted: {
    en: "it was deleted or moved while the task was running",
    ja: "タスクの実行中に削除または移動されました",
  },
  records_replaced: {
    en: "a directory was put in its place while the task was running",
    ja: "タスクの実行中にディレクトリに置き換えられました",
  },
  records_shortened: { en: "it was shortened while the task was running", ja: "タスクの実行中に短くされました" },
};

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
  store_url_not_postgres: {
    en: "it must begin with postgres://",
    ja: "postgres:// で始めてください",
  },
  store_url_broken: {
    en: "it is not a URL; letters such as @ / # in a password are written as %40 %2F %23",
    ja: "URL の形になっていません。パスワードの @ / # などは %40 %2F %23 と書きます",
  },
  store_schema_unfit: {
    en: ({ schema }) => `schema=${schema} must be a lower-case name of letters, digits and _, at most 40 of them`,
    ja: ({ schema }) => `schema=${schema} は英小文字、数字、_ からなる 40 文字以内の名前にしてください`,
  },
  store_lease_unfit: {
    en: ({ lease }) => `lease=${lease} must be a number of seconds from 1 to 3600`,
    ja: ({ lease }) => `lease=${lease} は 1 から 3600 までの秒数にしてください`,
  },
  store_sslcert_unfit: {
    en: "sslcert and sslkey go together, and with an encrypted connection: sslmode=require, verify-ca or verify-full",
    ja: "sslcert と sslkey は両方を、暗号化された接続（sslmode=require、verify-ca、verify-full）と一緒に指定してください",
  },
  store_sslmode_unfit: {
    en: ({ mode, known }) => `sslmode=${mode} is not one of ${known}`,
    ja: ({ mode, known }) => `sslmode=${mode} は使えません（${known} のいずれか）`,
  },
};

import { expect, test } from "vitest";
import { contentKey } from "../../../src/connection/stores/knowledge.ts";
import { mostRelevant, searchTerms } from "../../../src/connection/stores/knowledge-ranking.ts";
import { knowledge } from "../../support/stored.ts";

const rank = (text: string, ...contents: string[]) =>
  mostRelevant(
    contents.map((content) => knowledge(content)),
    text,
    contents.length,
  ).map(({ content }) => content);

test("terms are words, and pairs of characters where words are not set apart", () => {
  expect(searchTerms("Fix the src/auth-token.ts (v2)!")).toEqual(["fix", "src", "auth", "token", "ts", "v2"]);
  expect(searchTerms("認証処理")).toEqual(["認証", "証処", "処理"]);
  expect(searchTerms("テスト用のAPI鍵")).toEqual(["テス", "スト", "ト用", "用の", "api", "鍵"]);
  expect(searchTerms("테스트 실행")).toEqual(["테스", "스트", "실행"]);
  expect(searchTerms("ｶﾀｶﾅ Ｆｕｌｌ naïve Größe")).toEqual(["カタ", "タカ", "カナ", "full", "naïve", "größe"]);
  expect(searchTerms("… !? 。")).toEqual([]);
});

test.each([
  ["Fix the login test", "tests of the login need a server", "the cache is cold"],
  ["ログイン処理のテストを直す", "ログインのテストにはサーバーが要る", "キャッシュは冷たい"],
  ["修复登录测试", "登录测试需要服务器", "缓存是冷的"],
  ["로그인 테스트를 고쳐라", "로그인에는 서버가 필요하다", "캐시가 차갑다"],
  ["Почини проверку входа", "проверка входа требует сервера", "кэш холодный"],
])("%s finds what has to do with it", (task, relevant, other) => {
  expect(rank(task, other, relevant)).toEqual([relevant, other]);
});

test("more in common ranks higher, and an ending or a slip of the pen is forgiven", () => {
  expect(rank("migrate the user database", "users exist", "the user database is PostgreSQL", "nothing")).toEqual([
    "the user database is PostgreSQL",
    "users exist",
    "nothing",
  ]);
  expect(rank("deploymant", "colours", "deployment is manual")).toEqual(["deployment is manual", "colours"]);
});

test("in a task as long as a book every word counts, but slips of the pen only at its beginning", () => {
  const book = Array.from({ length: 500 }, (_, index) => `zz${index}`).join(" ");
  const contents = ["colours", "deployment is manual"];
  const [spelled, slipped] = ["deployment", "deploymant"];

  expect(rank(`${book} ${spelled}`, ...contents)).toEqual(["deployment is manual", "colours"]);
  expect(rank(`${slipped} ${book}`, ...contents)).toEqual(["deployment is manual", "colours"]);
  expect(rank(`${book} ${slipped}`, ...contents)).toEqual(["colours", "deployment is manual"]);
});

test("the category and the example file count too", () => {
  const entries = [
    knowledge("nothing of note"),
    knowledge("see there", { example_file: "src/payments/refund.ts:12" }),
    knowledge("look here", { category: "error_handling" }),
  ];
  expect(mostRelevant(entries, "refund", 1)[0]?.content).toBe("see there");
  expect(mostRelevant(entries, "error", 1)[0]?.content).toBe("look here");
});

test("words of every sentence make nothing relevant", () => {
  const entries = [
    knowledge("it is on the list", { confidence: "low" }),
    knowledge("sure thing", { confidence: "high" }),
  ];
  expect(mostRelevant(entries, "Put the file in place, as it is", 1)[0]?.content).toBe("sure thing");
});

test("equals are ordered by confidence, then by age", () => {
  const entries = [
    knowledge("same words", { created_at: "2026-01-01T00:00:00Z" }),
    knowledge("words same", { created_at: "2026-01-03T00:00:00Z" }),
    knowledge("same, words", { created_at: "2026-01-02T00:00:00Z", confidence: "high" }),
    knowledge("words! same", { created_at: "no date at all" }),
  ];
  expect(mostRelevant(entries, "same words", 4).map(({ content }) => content)).toEqual([
    "same, words",
    "words same",
    "same words",
    "words! same",
  ]);
});

test("what differs in more than its looks stays apart", () => {
  expect(contentKey("Prefer C++")).not.toBe(contentKey("Prefer C"));
  expect(contentKey("a = b")).not.toBe(contentKey("a < b"));
  expect(contentKey("!!!")).not.toBe(contentKey("???"));
  expect(contentKey(" Don't\n\tPANIC. ")).toBe(contentKey("don’t panic"));
});

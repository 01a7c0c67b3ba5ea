import type { enWorkers } from "../en/workers.ts";

export const jaWorkers: typeof enWorkers = {
  workers: {
    label: "作業者",
    by: (worker) => `作業者：${worker}`,
    atWork: (worker) => `${worker} が作業しています`,
    did: (worker, iterations) => `${worker}（${iterations} イテレーション）`,
    escalated: (to, iteration) => `（イテレーション ${iteration} から引き継いだ ${to} でも進展がありませんでした）`,
    cause: {
      limited: (from, to, until) => `${until} まで ${from} を使えないため、${to} が引き継ぎます`,
      unavailable: (from, to) => `${from} を使えないため、${to} が引き継ぎます`,
      failing: (from, to) => `${from} が続けて失敗したため、${to} が引き継ぎます`,
      stalled: (from, to) => `${from} では進展がないため、${to} が引き継ぎます`,
      back: (_, to) => `${to} が作業に戻ります`,
    },
  },
};

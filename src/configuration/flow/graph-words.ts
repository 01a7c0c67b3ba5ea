import type { Language } from "../../model/phrases.ts";

/** What stands between the names in a drawn flow. */
export interface GraphWords {
  takes: (variable: string, from: string, required: boolean) => string;
  handsOn: (keys: string) => string;
  otherwise: (condition: string) => string;
  needs: (step: string, validators: string, action: string) => string;
  completion: string;
}

const en: GraphWords = {
  takes: (variable, from, required) => `takes ${variable} from ${from}${required ? "" : " (optional)"}`,
  handsOn: (keys) => `hands on ${keys}`,
  otherwise: (condition) => `${condition} otherwise`,
  needs: (step, validators, action) => `${step} needs ${validators || "nothing"} (else ${action})`,
  completion: "completion",
};

const ja: GraphWords = {
  takes: (variable, from, required) => `${from} から ${variable} を受け取る${required ? "" : "（省略可）"}`,
  handsOn: (keys) => `${keys} を引き継ぐ`,
  otherwise: (condition) => `${condition} がそれ以外`,
  needs: (step, validators, action) => `${step} の条件: ${validators || "なし"}（満たさなければ ${action}）`,
  completion: "完了",
};

export const graphWords = { en, ja } as const satisfies Record<Language, GraphWords>;

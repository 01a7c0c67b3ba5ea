import type { Context } from "hono";
import { LANGUAGES, type Language } from "../model/language.ts";
import { textsIn } from "../texts/choose.ts";
import type { Texts } from "../texts/en/catalogue.ts";

/** The language of whoever asks: as the address says, or else as the browser does. */
export function languageOf({ req }: Context, otherwise: Language): Language {
  const known = (word: string | undefined) => LANGUAGES.find((language) => language === word);
  return known(req.query("lang")) ?? accepted(req.header("accept-language")).map(known).find(Boolean) ?? otherwise;
}

/** `ja-JP,ja;q=0.9,en;q=0.8`: the languages, the dearest first. */
function accepted(header = ""): string[] {
  const wishes = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
    return { language: tag.split("-")[0] ?? "", quality: quality === undefined ? 1 : Number(quality) };
  });
  return wishes.sort((left, right) => right.quality - left.quality).map(({ language }) => language);
}

export function textsOf(context: Context, otherwise: Language): Promise<Texts> {
  return textsIn(languageOf(context, otherwise));
}

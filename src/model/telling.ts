import { type Language, type Phrases, phrases } from "./phrases.ts";
import { type Say, type Statement, type Words, worded, wordsIn } from "./statement.ts";

/** A text for records and prompts, and what of it is ours, in every language; the rest is quoted. */
export interface Told {
  text: string;
  /** In the order of the text. Absent where nothing is ours. */
  wordings?: Words[] | undefined;
}

/** A phrase in every language. */
export function phrased(say: (phrases: Phrases, say: Say) => string): Words {
  return worded(
    (part) => say(phrases.en, part),
    (part) => say(phrases.ja, part),
  );
}

/** Tells parts in one language, so that they can be retold in another. */
export function told(language: Language, parts: readonly Statement[], separator: string): Told {
  const text = parts.map((part) => wordsIn(language, part)).join(separator);
  return { text, ...wordingsIn(parts) };
}

/** What of it is ours. */
export function wordingsIn(parts: readonly Statement[]): Pick<Told, "wordings"> {
  const all = parts.flatMap((part) => (typeof part === "string" ? [] : [worded((say) => say(part))]));
  const wordings = all.flatMap((part) => (part.en === part.ja ? [] : [withoutQuotation(part)]));
  return wordings.length > 0 ? { wordings } : {};
}

/** A recorded text in the reader's language: each sentence of ours once, our marks wherever they stand, the rest as it is. */
export function retold(language: Language, { text, wordings = [] }: Told): string {
  const ours = wordings.reduce((sofar, words) => retell(sofar, words, language), { text, from: 0 });
  return STANDING.reduce((sofar, words) => remarked(sofar, words, language), ours.text);
}

interface Retold {
  text: string;
  /** Where what has not been looked at begins. */
  from: number;
}

/** Whichever language comes first is the one it was told in; what is quoted may say the same once more. */
function retell({ text, from }: Retold, words: Words, language: Language): Retold {
  const places = LANGUAGES.map((one) => ({ start: text.indexOf(words[one], from), length: words[one].length }));
  const [found] = places.filter(({ start }) => start >= 0).sort((one, other) => one.start - other.start);
  if (!found) return { text, from };
  const before = `${text.slice(0, found.start)}${words[language]}`;
  return { text: `${before}${text.slice(found.start + found.length)}`, from: before.length };
}

function remarked(text: string, mark: Words, language: Language): string {
  return LANGUAGES.reduce((sofar, one) => sofar.replaceAll(mark[one], () => mark[language]), text);
}

export function retoldInAll(said: Told): Words {
  return { en: retold("en", said), ja: retold("ja", said) };
}

const LANGUAGES: readonly Language[] = ["en", "ja"];

/** What may stand in any record. */
const STANDING = [phrased(({ cut }) => cut), phrased(({ noApproach }) => noApproach)];

const LONG = 200;

/** A long quotation at the end is the same in every language: a record need not keep it once for each. */
function withoutQuotation({ en, ja }: Words): Words {
  let length = 0;
  while (length < Math.min(en.length, ja.length) - 1 && en.at(-1 - length) === ja.at(-1 - length)) length += 1;
  return length > LONG ? { en: en.slice(0, -length), ja: ja.slice(0, -length) } : { en, ja };
}

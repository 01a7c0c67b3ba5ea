import { closest, distance } from "fastest-levenshtein";

/** The known name that was probably meant: a slip of the pen, another case, or a name cut short. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (sameLetters !== undefined || known.length === 0) return sameLetters;
  const best = closest(name, known);
  if (distance(name, best) <= Math.max(1, Math.floor(best.length / 3))) return best;
  return name.length < 4 ? undefined : known.find((candidate) => candidate.startsWith(name));
}

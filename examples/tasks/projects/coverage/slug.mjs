/** The part of a URL that a title becomes. */
export function slug(title) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g);
  if (words === null) {
    const code = [...title].map((character) => character.codePointAt(0).toString(16));
    return code.length === 0 ? "untitled" : code.join("-");
  }
  if (words.length > 6) {
    const kept = words.slice(0, 6);
    return `${kept.join("-")}-etc`;
  }
  return words.join("-");
}

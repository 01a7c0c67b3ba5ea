/** The text, cut to so many columns; a sign of Chinese or Japanese takes two. */
export function cutTo(text: string, columns: number): string {
  let width = 0;
  let kept = "";
  for (const sign of text) {
    width += sign > "\u1100" ? 2 : 1;
    if (width > columns) return `${kept}…`;
    kept += sign;
  }
  return kept;
}

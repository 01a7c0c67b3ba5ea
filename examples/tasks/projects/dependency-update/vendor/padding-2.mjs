// 2.0.0: pad(text, width) became padLeft(text, { width }).
export function padLeft(text, { width }) {
  return text.padStart(width);
}

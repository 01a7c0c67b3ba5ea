export function pad(text, width) {
  return text.padStart(width);
}

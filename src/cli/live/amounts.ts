/** `0:07`, `12:34`, and beyond an hour `2 h 05 min`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours} h ${two(minutes)} min` : `${minutes}:${two(whole % 60)}`;
}

/** `980`, `9.8k`, `98k`, `1.2M`. */
export function compact(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [unit, letter] = count < 999_500 ? [1000, "k"] : [1_000_000, "M"];
  const amount = count / unit;
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)}${letter}`;
}

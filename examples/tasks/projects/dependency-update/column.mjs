import { pad } from "#padding";

export const column = (words) => words.map((word) => pad(word, 6)).join("\n");

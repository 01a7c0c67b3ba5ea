import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { Change, DiffFile, Hunk } from "./lines.ts";

const grammars = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
const lowlight = createLowlight(grammars);

const ENDINGS: Record<string, keyof typeof grammars> = {
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  css: "css",
  scss: "css",
  dockerfile: "dockerfile",
  go: "go",
  toml: "ini",
  ini: "ini",
  java: "java",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  json: "json",
  jsonl: "json",
  kt: "kotlin",
  md: "markdown",
  php: "php",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sql: "sql",
  swift: "swift",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescript",
  html: "xml",
  xml: "xml",
  svg: "xml",
  vue: "xml",
  yaml: "yaml",
  yml: "yaml",
};

export interface Token {
  text: string;
  /** Where it begins in its line. */
  from: number;
  style?: string;
}

/** Longer ones are shown without colours: they are data, not code. */
const LONGEST_HUNK = 20_000;
const LONGEST_LINE = 2_000;

const known = new WeakMap<Hunk, Token[][]>();

/** The tokens of each line of a hunk: the old lines are read as one text, the new ones as another. */
export function tokensOf(file: DiffFile, hunk: Hunk): Token[][] {
  const before = known.get(hunk);
  if (before) return before;
  const tokens = colour(file.path, hunk.changes);
  known.set(hunk, tokens);
  return tokens;
}

function colour(path: string, changes: readonly Change[]): Token[][] {
  const language =
    ENDINGS[
      path
        .slice(path.lastIndexOf("/") + 1)
        .split(".")
        .at(-1)
        ?.toLowerCase() ?? ""
    ];
  const isTooLong = changes.length > LONGEST_HUNK || changes.some(({ text }) => text.length > LONGEST_LINE);
  if (!language || isTooLong) return changes.map(({ text }) => [{ text, from: 0 }]);
  const side = (left: Change["type"]) =>
    changes.flatMap((change, at) => (change.type === left ? [] : [{ at, text: change.text }]));
  const result: Token[][] = [];
  for (const lines of [side("add"), side("del")]) {
    const coloured = lineTokens(language, lines.map(({ text }) => text).join("\n"));
    lines.forEach(({ at, text }, index) => {
      result[at] = coloured[index] ?? [{ text, from: 0 }];
    });
  }
  return result;
}

type Tree = ReturnType<typeof lowlight.highlight>;

function lineTokens(language: string, text: string): Token[][] {
  const lines: Token[][] = [[]];
  let from = 0;
  const begin = () => {
    lines.push([]);
    from = 0;
  };
  const add = (part: string, style: string | undefined) => {
    part.split("\n").forEach((piece, index) => {
      if (index > 0) begin();
      if (piece !== "") lines.at(-1)?.push({ text: piece, from, ...(style && { style }) });
      from += piece.length;
    });
  };
  const walk = (nodes: Tree["children"], style: string | undefined) => {
    for (const node of nodes) {
      if (node.type === "text") add(node.value, style);
      else if (node.type === "element")
        walk(node.children as Tree["children"], styleOf(node.properties.className) ?? style);
    }
  };
  walk(lowlight.highlight(language, text).children, undefined);
  return lines;
}

function styleOf(names: unknown): string | undefined {
  return Array.isArray(names) ? String(names[0]) : undefined;
}

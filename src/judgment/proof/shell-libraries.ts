/** Functions that a shell script defines. */
const DEFINES = /^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*\(\)|^[ \t]*function[ \t]+([\w:-]+)/gm;
/** How a library is recognized by which a check decides: by the names of its functions, or because one compares its arguments. */
const ASSERTS =
  /^[ \t]*(?:function[ \t]+)?\w*(?:assert|expect|should)\w*[ \t]*\(\)|^[ \t]*(?:function[ \t]+)?(?:ok|is|same|equals?)[ \t]*\(\)|\[\[?\s+["']?\$\{?1\}?["']?\s+(?:=|==|!=|-eq|-ne)\s+["']?\$\{?2/m;

/** Whether a library decides about the script that loads it, rather than to have functions that the script tests. */
export function isOfScript(text: string): boolean {
  return ASSERTS.test(text) || definedIn(text).length === 0 || /^(set|trap|exec|exit)\b/m.test(text);
}

/** What a check asks by, besides its own functions. */
const COMMANDS_OF_CHECKS = new Set(
  "test [ exit return set trap true false command builtin eval source cmp diff comm grep egrep fgrep sed awk cat echo printf sh bash node npm npx yarn pnpm bun deno python python3 pytest ruby perl php go cargo make cc gcc curl jq".split(
    " ",
  ),
);
/** Statements outside of functions that decide how the script ends that loads the library. */
const DECIDES = /^(exit|exec|trap|alias|set \+\w*e|unset -f)\b/gm;

/** Whether a library that a check's script loads now decides about that script: it ends it, or defines what the script asks by. */
export function takesCheckOver(before: string, now: string, texts: readonly string[]): boolean {
  if (count(now) > count(before)) return true;
  const known = new Set(definedIn(before));
  const others = new Set(texts.filter((text) => text !== before).flatMap(definedIn));
  return definedIn(now).some((name) => !known.has(name) && (others.has(name) || COMMANDS_OF_CHECKS.has(name)));
}

function count(text: string): number {
  return text.match(DECIDES)?.length ?? 0;
}

function definedIn(text: string): string[] {
  return [...text.matchAll(DEFINES)].map(([, name, other]) => name ?? other ?? "");
}

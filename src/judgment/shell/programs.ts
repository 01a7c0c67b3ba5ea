const SHELLS = names("sh bash zsh dash ksh mksh ash fish rbash csh tcsh pwsh busybox source .");

/** Programs that treat their arguments as text and run none of them. */
const TEXT_TOOLS =
  names(`echo printf grep egrep fgrep zgrep rg ag ack cat bat head tail less more wc sort uniq cut tr sed
  awk gawk mawk diff cmp comm test [ [[ jq yq tee man which whereis whatis type apropos touch mkdir rm rmdir cp mv ln
  chmod cd pushd popd true false read basename dirname realpath stat file ls tree du export declare typeset local
  readonly alias unset return exit`);

const CODE =
  /^(?:python|pypy|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|awk|gawk|mawk|tclsh|Rscript|julia)/i;

/** A program's plain name: without directory and suffix, in lower case; a pattern that matches gh is gh. */
export function nameOf(program: string): string {
  const name = program
    .slice(program.lastIndexOf("/") + 1)
    .replace(/\.exe$/i, "")
    .toLowerCase();
  return /[*?[]/.test(name) && fitsGh(name) ? "gh" : name;
}

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Except for an awk or a sed that starts programs. */
export function isTextTool(name: string, words: readonly string[]): boolean {
  return TEXT_TOOLS.has(name) && !words.some((word) => startsPrograms(name, word));
}

function startsPrograms(name: string, word: string): boolean {
  if (/awk$/.test(name)) return /\bsystem\s*\(|\|/.test(word);
  return name === "sed" && SED_EXECUTES.test(word.replace(/^(?:-[nErsuz]*e|--expression=)/, ""));
}

/** GNU sed: the command `e`, with or without an address, and the flag `e` of `s`. */
const SED_EXECUTES = /(?:^|[;{}\s\d$/])e(?:\s|$)|[^\w\s][gpiImM\d]*e[gpiImM\d]*\s*(?:$|[;}\n])/;

/** Interpreters, which run code from an argument or from their input. */
export function runsCode(name: string): boolean {
  return CODE.test(name);
}

/** Options whose value is a text for people, or a text to search for. */
export function passesText(option: string): boolean {
  return /^(?:-[a-zA-Z]*m|-[tbkg]|--(?:message|title|body|description|subject|notes?|comment|reason|grep|filter))$/.test(
    option,
  );
}

function fitsGh(pattern: string): boolean {
  const expression = pattern
    .replace(/[.+^$(){}|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  try {
    return new RegExp(`^${expression.replaceAll("[!", "[^")}$`).test("gh");
  } catch {
    return false; // `[` and `[[` are commands of their own
  }
}

/** The words of a text. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** How to find the wrapped program among the arguments. */
interface Wrapper {
  /** Options whose value is the next word. */
  values?: RegExp;
  /** How many operands come before the program: the limit of `timeout`, the host of `ssh`. */
  operands?: number;
  /** The words after which a program begins: `-exec` of `find`, `exec` of `npm`. */
  after?: RegExp;
}

const PLAIN: Wrapper = {};
const PACKAGES: Wrapper = { after: /^(?:exec|x|dlx)$/, values: /^(?:-p|--package)$/ };
const LIMIT: Wrapper = { values: /^(?:-[ks]|--kill-after|--signal)$/, operands: 1 };
const BEHIND_DASHES: Wrapper = { after: /^--$/ };

/** Programs whose arguments are a program and its arguments; `{` and `function` stand in the same place. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { values: /^(?:-[ughpCDRTUrt]|--(?:user|group|host|prompt|chdir|chroot|role|type))$/ },
  doas: { values: /^-[uC]$/ },
  env: { values: /^(?:-[uC]|--unset|--chdir)$/ },
  command: PLAIN,
  builtin: PLAIN,
  exec: { values: /^-a$/ },
  nohup: PLAIN,
  timeout: LIMIT,
  gtimeout: LIMIT,
  time: { values: /^-[fo]$/ },
  nice: { values: /^(?:-n|--adjustment)$/ },
  ionice: { values: /^-[cn]$/ },
  stdbuf: { values: /^-[ioe]$/ },
  setsid: PLAIN,
  xargs: { values: /^(?:-[IJLPRdEnsaS]|--(?:replace|max-lines|max-procs|max-args|max-chars|delimiter|arg-file))$/ },
  parallel: { values: /^(?:-[IjNnaS]|--jobs)$/ },
  watch: { values: /^(?:-n|--interval)$/ },
  strace: { values: /^-[eopsPuEaOSbIX]$/ },
  ltrace: { values: /^-[eopsuanADFlx]$/ },
  unbuffer: PLAIN,
  script: { values: /^-[tEIOBTm]$/, operands: 1 },
  chroot: { operands: 1 },
  flock: { values: /^(?:-[wE]|--timeout|--wait)$/, operands: 1 },
  caffeinate: { values: /^-[tw]$/ },
  taskset: { operands: 1 },
  "systemd-run": { values: /^-[EpuMH]$/ },
  busybox: PLAIN,
  chronic: PLAIN,
  find: { after: /^-(?:exec|ok)(?:dir)?$/ },
  fd: { after: /^(?:-[xX]|--exec|--exec-batch)$/ },
  entr: PLAIN,
  direnv: { after: /^exec$/, operands: 1 },
  dotenv: BEHIND_DASHES,
  mise: BEHIND_DASHES,
  op: BEHIND_DASHES,
  asdf: { after: /^exec$/ },
  npx: { values: /^(?:-p|--package)$/ },
  bunx: { values: /^(?:-p|--package)$/ },
  uvx: { values: /^--(?:from|with|python)$/ },
  npm: PACKAGES,
  pnpm: PACKAGES,
  yarn: PACKAGES,
  bun: PACKAGES,
  ssh: { values: /^-[BbcDEeFIiJLlmOopQRSWw]$/, operands: 1 },
  runuser: { values: /^-[ugG]$/ },
  function: { operands: 1 },
  "{": PLAIN,
};

/** Their program is given as a script, or runs in another machine. */
const OTHERS = new Set(["su", "docker", "podman", "tmux", "screen", "nix-shell"]);

export function isWrapper(name: string): boolean {
  return OTHERS.has(name) || Object.hasOwn(WRAPPERS, name);
}

/** The words of every program that a wrapper of this name runs; none for other programs. */
export function wrappedPrograms(name: string, words: readonly string[]): string[][] {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!wrapper) return [];
  const { after } = wrapper;
  const starts = after ? words.flatMap((word, index) => (after.test(word) ? [index + 1] : [])) : [0];
  return starts.map((start) => behindOptions(upToEnd(words.slice(start), after), wrapper)).filter(isSomething);
}

/** In `find`, `;` or `+` ends the program's arguments. */
function upToEnd(words: readonly string[], after: RegExp | undefined): readonly string[] {
  const end = after ? words.findIndex((word) => word === ";" || word === "+") : -1;
  return end < 0 ? words : words.slice(0, end);
}

function behindOptions(words: readonly string[], { values, operands = 0 }: Wrapper): string[] {
  let left = operands;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (values?.test(word)) at++;
    else if (!word.startsWith("-") && !/^\w+=/.test(word) && left-- === 0) return words.slice(at);
  }
  return [];
}

function isSomething(words: readonly string[]): boolean {
  return words.length > 0;
}

/** Modules that runners and tests import, and that a file of the same name comes before. */
const PYTHON_MODULES = `
  pytest _pytest pluggy iniconfig packaging attr attrs exceptiongroup tomli pygments colorama xdist coverage pytest_cov pytest_mock
  pytest_asyncio nose nose2 hypothesis mock assertpy numpy abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
  binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
  email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
  getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json
  keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath
  nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
  rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
  sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny
  tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
  types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile
  zipimport zlib zoneinfo
`
  .trim()
  .split(/\s+/);

const PERL_MODULES =
  "strict warnings utf8 vars base parent constant feature overload integer lib bytes Carp Exporter POSIX Cwd Config Socket Storable Encode Symbol IO/File IO/Handle File/Spec File/Temp File/Path File/Basename File/Find List/Util Scalar/Util Data/Dumper Time/HiRes Time/Local Getopt/Long Getopt/Std TAP/Harness TAP/Parser".split(
    " ",
  );

const C_HEADERS =
  "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd wchar wctype".split(
    " ",
  );

/** A module of this name is imported instead of the standard library's, or of one that runners rely on. */
const SHADOWING = new RegExp(
  [
    String.raw`^(src/|lib/)?(${PYTHON_MODULES.join("|")})(\.py|/__(init|main)__\.py)$`,
    String.raw`^(lib|test|spec)/(minitest|rspec|test/unit)(/.+)?\.rb$`,
    String.raw`^(t/)?lib/(Test/[^/]+|${PERL_MODULES.join("|")})\.pm$`,
    String.raw`(^|/)(assert|cassert|check|gtest/gtest)\.h$`,
  ].join("|"),
);

/** Whether a file comes before a module that tests or their runner import. */
export function isShadowing(path: string): boolean {
  return SHADOWING.test(path);
}

/** Whether it comes before a header of the system in a folder that a command names for headers. */
export function isShadowingHeader(path: string, commands: readonly string[]): boolean {
  const [, folder = ".", name = ""] = /^(?:(.*)\/)?([^/]+)\.h$/.exec(path) ?? [];
  if (!C_HEADERS.includes(name)) return false;
  const named = commands.flatMap((command) => [...command.matchAll(/-(?:I|isystem)\s*["']?([^\s"';)]+)/g)]);
  return named.some(([, one = ""]) => one.replace(/^(\.\/|\$[({]?\w+[)}]?\/)+/, "").replace(/\/$/, "") === folder);
}

/** What a new file may come before. */
interface Surroundings {
  /** The files of the start. */
  paths: ReadonlySet<string>;
  commands: readonly string[];
  isTest: (path: string) => boolean;
}

/**
 * Whether a new file comes before one of the start: a package before the module beside it, a module among the tests before the one that
 * they import, a file without an ending before the test that `require` would find.
 */
export function comesBefore(path: string, { paths, commands, isTest }: Surroundings): boolean {
  const module = path.replace(/\/__(init|main)__\.py$|\.py$/, "");
  if (module === path) return [".js", ".cjs", ".json"].some((one) => paths.has(`${path}${one}`) && isTest(path + one));
  if (path !== `${module}.py` && paths.has(`${module}.py`)) return true;
  const [, folder = "", name = ""] = /^(.*\/|)([^/]+)$/.exec(module) ?? [];
  const isSearched = !paths.has(`${folder}__init__.py`) || commands.some((one) => DISCOVERS_FROM_THERE.test(one));
  return isSearched && isTest(path) && !name.startsWith("__") && IMPORTED_FROM.some((from) => hasModule(from + name));

  function hasModule(one: string): boolean {
    return one !== module && (paths.has(`${one}.py`) || paths.has(`${one}/__init__.py`));
  }
}

const IMPORTED_FROM = ["", "src/", "lib/"];
/** unittest takes the folder of the tests for the first to import from, unless it is told another one. */
const DISCOVERS_FROM_THERE = /\bdiscover\b(?!.*\s(-t|--top))/;

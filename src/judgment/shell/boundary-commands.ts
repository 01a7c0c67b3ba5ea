import { message, type Statement } from "../../model/message.ts";
import { type Call, callsIn, names } from "./calls.ts";
import { fileWrite } from "./file-writes.ts";
import { ghEffect } from "./gh.ts";

/**
 * The side effect on issues, pull requests or releases that a command names itself; undefined where none is seen. An early word to
 * the model, not a wall: without credentials the command fails however it is started.
 */
export function boundaryEffect(script: string): Statement | undefined {
  return callsIn(script)
    .map(effectOf)
    .find((effect) => effect !== undefined);
}

/** Whether a command does nothing but ask the tracker: it calls gh or glab, and otherwise only programs that handle text. */
export function isTrackerQuestion(command: string): boolean {
  const programs = callsIn(command).map(({ program }) => program);
  return (
    programs.some((program) => TRACKER_PROGRAMS.has(program)) &&
    programs.every((program) => TRACKER_PROGRAMS.has(program) || TEXT_TOOLS.has(program))
  );
}

const TRACKER_PROGRAMS = names("gh glab");
const TEXT_TOOLS = names("echo printf grep egrep jq test [ head tail wc cut tr sort uniq true false cat set");
const FETCHERS = names("curl wget http https xh");
const READERS =
  names(`cat bat head tail less more wc sort uniq cut tr grep egrep fgrep rg ag diff cmp comm jq yq test [ ls tree stat
  file du echo printf basename dirname realpath git gh glab`);

function effectOf(call: Call): Statement | undefined {
  const { program, args, redirections } = call;
  if (program === "gh" || program === "glab") return ghEffect(program, args);
  if (program === "hub") return "hub";
  if (FETCHERS.has(program)) return firstOf(args, apiHost);
  if (program === "cd" || program === "pushd") return firstOf(args, intoTracker);
  const written = redirections.filter(({ operator }) => operator.includes(">")).map(({ target }) => target);
  return firstOf([...written, ...(isReader(call) ? [] : args)], trackerFile);
}

function isReader(call: Call): boolean {
  if (call.program === "find") return !call.args.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint)/.test(word));
  return READERS.has(call.program) || (call.program === "sed" && fileWrite([call]) === undefined);
}

function apiHost(word: string): Statement | undefined {
  const [host] = /(?:api|uploads)\.github\.com|github[\w.-]*(?::\d+)?\/api\/(?:v3|graphql)\b/i.exec(word) ?? [];
  return host && message("api_call", { host: host.toLowerCase() });
}

/** Issues that are kept in files are left to the boundary hook, too. */
export function trackerFile(path: string): Statement | undefined {
  return /(?:^|[\s/='"])\.e8\/+(?:\.\/+|(?!\.\/)[^/\s]+\/+\.\.\/+)*issues(?:\/|$)/.test(path)
    ? message("tracker_file_change", {})
    : undefined;
}

/** Inside that directory, paths no longer show what is changed, in this call or in the next. */
function intoTracker(path: string): Statement | undefined {
  return /(?:^|\/)\.e8(?:\/\.?)*$/.test(path) || trackerFile(path) ? `cd ${path}` : undefined;
}

function firstOf(words: readonly string[], find: (word: string) => Statement | undefined): Statement | undefined {
  return words.map(find).find((found) => found !== undefined);
}

import { type Message, message } from "../../model/message.ts";

/** Git's rules for names of branches, and nothing that an option or a refspec could begin with. */
export function branchName(key: string, name: string): Message[] {
  const isName =
    /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\s~^:?*[\]\\+]+(?<![/.])$/.test(name) && !hasControl(name);
  return isName ? [] : [message("ref_name_invalid", { key, name })];
}

function hasControl(text: string): boolean {
  return [...text].some((one) => one < " " || one === "\x7f");
}

export function commitProblems(key: string, commit: string): Message[] {
  return /^[0-9a-f]{40,64}$/.test(commit) ? [] : [message("ref_name_invalid", { key, name: commit })];
}

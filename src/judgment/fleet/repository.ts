import { type Message, message } from "../../model/message.ts";
import type { RemoteRepository } from "../../model/task.ts";
import { branchName, commitProblems } from "./ref-names.ts";

const SCHEMES = /^(?:https?|ssh|git):\/\/[^\s\0]+$/i;
/** `git@github.com:team/app.git`. Git takes `transport::address` for a program of that name. */
const HOST_AND_PATH = /^(?![-])(?:[\w.-]+@)?[\w.-]+:(?![:/\\])[^\s\0]+$/;
/** Only a machine whose list names it takes it: for tests, and for repositories on a shared volume. */
const LOCAL = /^(?:file:\/\/)?\/[^\0]*$/;

export function repositoryProblems({ url, base, path, base_commit }: RemoteRepository): Message[] {
  const isKnown = SCHEMES.test(url) || HOST_AND_PATH.test(url) || LOCAL.test(url);
  const isOutside =
    path !== "" && (path.startsWith("/") || path.split(/[/\\]/).some((one) => one === ".." || one === ".git"));
  return [
    ...(hasPassword(url) ? [message("repository_url_secret", {})] : []),
    ...(isKnown ? [] : [message("repository_url_scheme", { url: withoutPassword(url) })]),
    ...branchName("base", base),
    ...(isOutside ? [message("submitted_path_outside", { key: "path", path })] : []),
    ...(base_commit === undefined ? [] : commitProblems("base_commit", base_commit)),
  ];
}

function hasPassword(url: string): boolean {
  return /^[\w+.-]+:\/\/[^/@]*:[^/@]*@/.test(url) || /^https?:\/\/[^/@]+@/i.test(url);
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//");
}

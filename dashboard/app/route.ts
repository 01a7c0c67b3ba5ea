import { signal } from "@preact/signals";

export const PAGES = ["tasks", "latest", "backlog", "figures", "new", "task"] as const;
export type Page = (typeof PAGES)[number];

/** What is shown: it stands behind the `#` of the address, so that a report from a file has it, too. */
export interface Route {
  page: Page;
  project: string;
  id: string;
  tab: string;
  query: URLSearchParams;
}

export const route = signal<Route>(read());

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page, project = "", id = "", tab = ""] = path.split("/").map(decoded);
  return { page: PAGES.find((one) => one === page) ?? "tasks", project, id, tab, query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function followAddress(): void {
  addEventListener("hashchange", () => {
    route.value = read();
  });
}

/** Starts anew where the page was opened without a place. */
export function startAt(to: Partial<Route>): void {
  if (location.hash.length < 3) history.replaceState(null, "", address(to));
  route.value = read();
}

/** Goes there without a step in the browser's history. */
export function replaceBy(to: Partial<Route>, query: Query = {}): void {
  history.replaceState(null, "", address(to, query));
  route.value = read();
}

type Query = Record<string, string | number | undefined>;

export function address(to: Partial<Route>, query: Query = {}): string {
  const path = [to.page ?? "tasks", to.project, to.id, to.tab]
    .filter(Boolean)
    .map((part) => encodeURIComponent(part ?? ""));
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.join("/")}${search ? `?${search}` : ""}`;
}

export function go(to: Partial<Route>, query?: Query): void {
  location.hash = address(to, query);
}

/** Changes what follows the `?` without a step in the browser's history. */
export function refine(query: Query): void {
  const joined = { ...Object.fromEntries(route.value.query), ...query };
  const wanted = Object.fromEntries(Object.entries(joined).filter(([, value]) => value !== "" && value !== undefined));
  replaceBy(route.value, wanted);
}

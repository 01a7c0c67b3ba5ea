/** Where a value stands, and where what it holds does. For a member of an object, where its key begins. */
export interface ValuePlace {
  offset: number;
  children: Map<string, ValuePlace>;
}

export interface JsonPlaces {
  root: ValuePlace;
  duplicates: { path: string[]; offset: number }[];
  depth: number;
}

/** An object or list that is still open. */
interface Open {
  place: ValuePlace;
  path: string[];
  /** The next entry's index in a list; undefined in an object. */
  index: number | undefined;
  /** In an object: the key whose value comes next. */
  key: { name: string; offset: number } | undefined;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
const SPACE = /\s*/y;

/** Finds the places in a text that is known to be valid JSON. Without recursion: depth cannot overflow it. */
export function scanJson(text: string): JsonPlaces {
  const places: JsonPlaces = { root: { offset: 0, children: new Map() }, duplicates: [], depth: 0 };
  const open: Open[] = [];
  for (const { token, offset } of tokens(text)) {
    const top = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (token === "," || token === ":") continue;
    else if (top && top.index === undefined && !top.key) top.key = { name: JSON.parse(token), offset };
    else enter(places, open, token, offset);
  }
  return places;
}

function enter(places: JsonPlaces, open: Open[], token: string, offset: number): void {
  const { place, path } = placed(places, open.at(-1), offset);
  if (token !== "{" && token !== "[") return;
  open.push({ place, path, index: token === "[" ? 0 : undefined, key: undefined });
  places.depth = Math.max(places.depth, open.length);
}

/** Puts a value in its parent; a key's second value is a duplicate and takes the first one's place, as JSON.parse has it. */
function placed(places: JsonPlaces, parent: Open | undefined, offset: number): { place: ValuePlace; path: string[] } {
  if (!parent) {
    places.root.offset = offset;
    return { place: places.root, path: [] };
  }
  const name = parent.key?.name ?? String(parent.index);
  const place = { offset: parent.key?.offset ?? offset, children: new Map<string, ValuePlace>() };
  const path = [...parent.path, name];
  if (parent.key && parent.place.children.has(name)) places.duplicates.push({ path, offset: place.offset });
  parent.place.children.set(name, place);
  parent.key = undefined;
  if (parent.index !== undefined) parent.index += 1;
  return { place, path };
}

function* tokens(text: string): Generator<{ token: string; offset: number }> {
  let at = 0;
  while (at < text.length) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return;
    yield { token, offset: at };
    at += token.length;
  }
}

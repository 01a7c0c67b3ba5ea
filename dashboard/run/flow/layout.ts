import type { FlowGraph } from "../../../src/model/dashboard.ts";

export const STEP = { width: 190, height: 46, across: 56, down: 62 };
/** Where a flow ends: a step without a name of its own. */
export const END = "\u0000end";

export interface Placed {
  id: string;
  name: string;
  kind: string;
  x: number;
  y: number;
  /** Nothing stands to the right of it. */
  is_last: boolean;
}

export interface Way {
  from: Placed;
  to: Placed;
  intents: string[];
  /** It leads back, or past other steps: it goes around them. */
  is_around: boolean;
}

export interface Layout {
  steps: Placed[];
  ways: Way[];
  width: number;
  height: number;
}

/** Steps by their distance from the entry, from top to bottom; those of one distance side by side. */
export function layOut(graph: FlowGraph): Layout {
  const ranks = ranksOf(graph);
  const known = [
    ...graph.steps,
    ...(graph.edges.some(({ to }) => to === null) ? [{ id: END, name: "", kind: "end" }] : []),
  ];
  const lines = Map.groupBy(known, ({ id }) => ranks.get(id) ?? ranks.size);
  const widest = Math.max(...[...lines.values()].map((line) => line.length));
  const inner = widest * STEP.width + (widest - 1) * STEP.across;
  const steps = [...lines.keys()]
    .toSorted((left, right) => left - right)
    .flatMap((rank, row) => placed(lines.get(rank) ?? [], row, inner));
  const ways = waysOf(graph, new Map(steps.map((step) => [step.id, step])));
  const around = ways.filter(({ is_around }) => is_around).length;
  return {
    steps,
    ways,
    width: inner + 40 + around * 24,
    height: lines.size * (STEP.height + STEP.down) - STEP.down + 20,
  };
}

function placed(line: readonly Omit<Placed, "x" | "y" | "is_last">[], row: number, inner: number): Placed[] {
  const length = line.length * STEP.width + (line.length - 1) * STEP.across;
  return line.map((step, index) => ({
    ...step,
    x: 10 + (inner - length) / 2 + index * (STEP.width + STEP.across),
    y: 10 + row * (STEP.height + STEP.down),
    is_last: index === line.length - 1,
  }));
}

function ranksOf({ entry, edges, steps }: FlowGraph): Map<string, number> {
  const ranks = new Map([[entry, 0]]);
  const open = [entry];
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    for (const edge of edges.filter((one) => one.from === from)) {
      if (edge.to === null || ranks.has(edge.to)) continue;
      ranks.set(edge.to, (ranks.get(from) ?? 0) + 1);
      open.push(edge.to);
    }
  }
  const deepest = Math.max(...ranks.values());
  for (const { id } of steps) if (!ranks.has(id)) ranks.set(id, deepest + 1);
  return ranks.set(END, Math.max(...ranks.values()) + 1);
}

function waysOf({ edges }: FlowGraph, steps: ReadonlyMap<string, Placed>): Way[] {
  const joined = Map.groupBy(edges, ({ from, to }) => `${from}\u0000${to ?? END}`);
  return [...joined.values()].flatMap((same) => {
    const [first] = same;
    const from = first && steps.get(first.from);
    const to = first && steps.get(first.to ?? END);
    if (!from || !to) return [];
    const is_around = to.y - from.y !== STEP.height + STEP.down;
    return [{ from, to, intents: same.map(({ intent }) => intent), is_around }];
  });
}

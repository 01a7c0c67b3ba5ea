import type { FlowGraph, TaskView } from "../../../src/model/dashboard.ts";
import { Empty, Section } from "../../parts/bits.tsx";
import { texts } from "../../texts/texts.ts";
import { cutTo } from "./cut.ts";
import { END, layOut, type Placed, STEP } from "./layout.ts";
import { WayLine } from "./way.tsx";

export function FlowTab({ view }: { view: TaskView }) {
  if (!view.flow) return <Empty>{texts().none}</Empty>;
  return <Graph graph={view.flow} isRunning={view.status === "running"} />;
}

function Graph({ graph, isRunning }: { graph: FlowGraph; isRunning: boolean }) {
  const words = texts().flow;
  const { steps, ways, width, height } = layOut(graph);
  const around = ways.filter(({ is_around }) => is_around);
  return (
    <>
      <Section title={words.graph(graph.name)}>
        <div class="graph" tabIndex={0} role="group" aria-label={words.graph(graph.name)}>
          <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
            <defs>
              <marker
                id="arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto-start-reverse"
              >
                <path d="M0 0 8 4 0 8z" class="tip" />
              </marker>
            </defs>
            {ways.map((way) => (
              <WayLine
                key={`${way.from.id} ${way.to.id}`}
                way={way}
                lane={around.indexOf(way)}
                side={width - 14 - (around.length - 1 - around.indexOf(way)) * 24}
                place={around.slice(0, around.indexOf(way)).filter(({ from }) => from === way.from).length}
              />
            ))}
            {steps.map((step) => (
              <Step
                key={step.id}
                step={step}
                isCurrent={step.id === graph.current}
                isRunning={isRunning}
                isEntry={step.id === graph.entry}
              />
            ))}
          </svg>
        </div>
      </Section>
      <Ways graph={graph} />
    </>
  );
}

function Step({
  step,
  isCurrent,
  isRunning,
  isEntry,
}: {
  step: Placed;
  isCurrent: boolean;
  isRunning: boolean;
  isEntry: boolean;
}) {
  const words = texts().flow;
  const isEnd = step.id === END;
  const middle = step.x + STEP.width / 2;
  return (
    <g class="step" data-current={isCurrent} data-running={isCurrent && isRunning} data-end={isEnd}>
      <rect x={step.x} y={step.y} width={STEP.width} height={STEP.height} rx={isEnd ? STEP.height / 2 : 7} />
      <text x={middle} y={step.y + (isEnd ? 28 : 20)} class="name">
        {isEnd ? words.end : cutTo(step.name || step.id, 20)}
      </text>
      {!isEnd && (
        <text x={middle} y={step.y + 36} class="kind">
          {[isEntry && words.entry, step.kind].filter(Boolean).join(" · ")}
        </text>
      )}
    </g>
  );
}

/** The same as words: for those who do not see the graph, and for intents that are too long for it. */
function Ways({ graph }: { graph: FlowGraph }) {
  const words = texts().flow;
  const nameOf = (id: string | null) =>
    id === null ? words.end : (graph.steps.find((step) => step.id === id)?.name ?? id);
  return (
    <Section title={words.ways}>
      <ul class="ways">
        {graph.steps.map((step) => (
          <li key={step.id}>
            <b>{step.name}</b>{" "}
            {step.id === graph.current && (
              <span class="chip" data-tone="live">
                {words.current}
              </span>
            )}
            <ul>
              {graph.edges
                .filter(({ from }) => from === step.id)
                .map(({ intent, to }) => (
                  <li key={`${intent} ${to}`}>
                    <code>{intent}</code> → {nameOf(to)}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}

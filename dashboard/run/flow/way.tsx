import { cutTo } from "./cut.ts";
import { STEP, type Way } from "./layout.ts";

interface Drawn {
  way: Way;
  /** Of the ways that go around, which one this is. */
  lane: number;
  /** Where that one goes up or down. */
  side: number;
  /** How many of them come before it from the same step: their texts stand below each other. */
  place: number;
}

const LONGEST = 26;
const BETWEEN = 14;
const LINE = 13;

export function WayLine({ way, ...drawn }: Drawn) {
  const text = cutTo(way.intents.join(", "), LONGEST);
  return way.is_around ? <Around way={way} {...drawn} text={text} /> : <Straight way={way} text={text} />;
}

function Straight({ way: { from, to }, text }: { way: Way; text: string }) {
  const start = { x: from.x + STEP.width / 2, y: from.y + STEP.height };
  const end = { x: to.x + STEP.width / 2, y: to.y };
  const half = (start.y + end.y) / 2;
  return (
    <g class="way">
      <path
        d={`M${start.x} ${start.y}C${start.x} ${half} ${end.x} ${half} ${end.x} ${end.y - 2}`}
        marker-end="url(#arrow)"
      />
      <text x={(start.x + end.x) / 2 + 6} y={half + 4}>
        {text}
      </text>
    </g>
  );
}

/** Beside its line where nothing stands to the right, else through the gap between the lines. */
function Around({ way: { from, to }, lane, side, place, text }: Drawn & { text: string }) {
  const shift = (lane % 3) * 5;
  const right = from.x + STEP.width;
  const out = from.y + STEP.height / 2 + 6;
  const gap = from.y + STEP.height + BETWEEN + shift;
  const leaving = from.is_last ? `M${right} ${out}H${side}` : `M${right} ${out}H${right + BETWEEN}V${gap}H${side}`;
  const back = to.y + STEP.height / 2 - 6;
  const above = to.y - BETWEEN - shift;
  const arriving = to.is_last ? `V${back}H${to.x + STEP.width + 2}` : `V${above}H${to.x + STEP.width - 24}V${to.y - 2}`;
  return (
    <g class="way around">
      <path d={leaving + arriving} marker-end="url(#arrow)" />
      <text x={right + (from.is_last ? 6 : BETWEEN + 6)} y={(from.is_last ? out : gap) + LINE * (place + 1)}>
        {text}
      </text>
    </g>
  );
}

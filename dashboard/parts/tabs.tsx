import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { address, type Route, route } from "../app/route.ts";

export interface Tab {
  id: string;
  text: string;
  count?: number | string;
}

/** Links rather than buttons, so that each part of a run has an address. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const { page, project, id } = route.value;
  const shown = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is shown
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest", inline: "nearest" }), [current]);
  const to = (tab: string): Partial<Route> => ({ page, project, id, tab });
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a
          key={tab.id}
          href={address(to(tab.id))}
          ref={tab.id === current ? shown : null}
          aria-current={tab.id === current ? "page" : undefined}
        >
          {tab.text}
          {tab.count !== undefined && <span class="count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  );
}

/** A list of names and values, side by side. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

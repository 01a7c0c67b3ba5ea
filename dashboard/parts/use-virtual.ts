import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

interface Listed {
  count: number;
  /** Pixels; measured where they are drawn if `measureElement` is their ref. */
  size: (index: number) => number;
  is_horizontal?: boolean;
  /** How many more than are seen. */
  beyond?: number;
}

export type Virtual = Virtualizer<HTMLElement, HTMLElement>;

/** Draws only the part of a long list that is seen. */
export function useVirtual(listed: Listed): { scroller: RefObject<HTMLDivElement | null>; virtual: Virtual } {
  const scroller = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const options = {
    count: listed.count,
    estimateSize: listed.size,
    horizontal: listed.is_horizontal ?? false,
    overscan: listed.beyond ?? 8,
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(undefined),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  return { scroller, virtual };
}

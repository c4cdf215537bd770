import { type RefObject, useLayoutEffect, useState } from 'react';

/** Heights of the boxes of the diagram, in CSS pixels. They depend on the texts in the boxes. */
interface Heights {
  readonly gap: number;
  readonly gate: number;
  readonly callers: readonly number[];
  /** Height of each line on the right, and of its boxes without the text below them. */
  readonly lines: readonly number[];
  readonly boxes: readonly number[];
}

const NO_HEIGHTS: Heights = { gap: 0, gate: 0, callers: [], lines: [], boxes: [] };

/** Returns the heights of the boxes in an element, and measures again when one of them changes. */
export function useHeights(diagram: RefObject<HTMLElement | null>): Heights {
  const [heights, setHeights] = useState(NO_HEIGHTS);
  useLayoutEffect(() => {
    const element = diagram.current;
    if (!element) return undefined;
    const measure = () => {
      const next = heightsIn(element);
      setHeights((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const box of element.querySelectorAll('.gh-box, .gh-chain-line')) observer.observe(box);
    return () => observer.disconnect();
  });
  return heights;
}

function heightsIn(element: HTMLElement): Heights {
  const heightsOf = (selector: string): readonly number[] =>
    [...element.querySelectorAll<HTMLElement>(selector)].map(({ offsetHeight }) => offsetHeight);
  const lines = element.querySelector('.gh-chain-lines');
  return {
    gap: lines ? parseFloat(getComputedStyle(lines).rowGap) || 0 : 0,
    gate: heightsOf('.gh-box-gate')[0] ?? 0,
    callers: heightsOf('.gh-box-caller'),
    lines: heightsOf('.gh-chain-line'),
    boxes: heightsOf('.gh-chain-line > .gh-box:first-child'),
  };
}

import { type RefObject, useLayoutEffect, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Takes the focus into a control that has just come into the grid: all of its text chosen, or after what was typed. */
export function useEntry<C extends Control>(isGrid: boolean, seed: string | undefined): RefObject<C | null> {
  const control = useRef<C>(null);
  useLayoutEffect(() => {
    const element = control.current;
    if (!isGrid || !element) return;
    element.focus({ preventScroll: true });
    if (element instanceof HTMLSelectElement) return;
    if (seed === undefined) element.select();
    else if (element.type !== 'file') element.setSelectionRange(seed.length, seed.length);
    // Only when it comes: afterwards the person moves the focus.
  }, []);
  return control;
}

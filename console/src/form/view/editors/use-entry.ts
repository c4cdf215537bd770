import { type RefObject, useLayoutEffect, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Focuses a control that was just added to the grid: selects all of its text, or puts the cursor after the
 * typed text.
 */
export function useEntry<C extends Control>(isGrid: boolean, seed: string | undefined): RefObject<C | null> {
  const control = useRef<C>(null);
  useLayoutEffect(() => {
    const element = control.current;
    if (!isGrid || !element) return;
    element.focus({ preventScroll: true });
    if (element instanceof HTMLSelectElement) return;
    if (seed === undefined) element.select();
    else if (element.type !== 'file') element.setSelectionRange(seed.length, seed.length);
    // Only on mount: afterwards the person moves the focus.
  }, []);
  return control;
}

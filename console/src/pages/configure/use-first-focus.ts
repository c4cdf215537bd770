import { type RefObject, useEffect, useRef } from 'react';

/** Returns a reference to a box whose first field has the focus when the page opens. */
export function useFirstFocus(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  return box;
}

import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import type { FieldKind } from '../../design/field-kinds.js';

/** What is dragged: a field of the form, or a type of field that is added. */
export type Dragged = { readonly pointer: string } | { readonly kind: FieldKind };

/** Where it is dropped: at an edge of a field, or into a group. */
export interface DropTarget {
  /** Pointer of the field under the mouse or finger; empty for the form itself. */
  readonly pointer: string;
  readonly edge: 'before' | 'after' | 'into';
}

export type StartDrag = (event: ReactPointerEvent, dragged: Dragged) => void;

/** Distance in CSS pixels from which a press is a drag. */
const THRESHOLD = 5;

/** Part of a group's height, at its top and at its bottom, that puts a field beside the group. */
const EDGE = 0.3;

interface DragOptions {
  readonly onDrop: (dragged: Dragged, target: DropTarget) => void;
  readonly onCancel: () => void;
}

/**
 * Drags fields with the mouse, a pen or a finger. Rows are marked with `data-field` (a pointer), groups also
 * with `data-group`. Escape cancels.
 */
export function useFieldDrag(options: DragOptions): {
  readonly start: StartDrag;
  readonly target: DropTarget | undefined;
} {
  const [target, setTarget] = useState<DropTarget>();
  const latest = useRef(options);
  latest.current = options;
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const start: StartDrag = (event, dragged) => {
    if (event.button !== 0 || !event.isPrimary) return;
    stop.current?.();
    const origin = { x: event.clientX, y: event.clientY };
    let isDragging = false;
    let current: DropTarget | undefined;
    const listeners = new AbortController();
    const on = { signal: listeners.signal, capture: true };
    const end = () => {
      listeners.abort();
      setTarget(undefined);
      stop.current = undefined;
    };
    stop.current = end;
    const move = (next: PointerEvent) => {
      const distance = Math.hypot(next.clientX - origin.x, next.clientY - origin.y);
      if (!isDragging && distance < THRESHOLD) return;
      isDragging = true;
      next.preventDefault();
      current = targetAt(next);
      scrollNear(next);
      setTarget(current);
    };
    const drop = () => {
      end();
      if (!isDragging) return;
      suppressClick();
      if (current) latest.current.onDrop(dragged, current);
      else latest.current.onCancel();
    };
    const cancel = () => {
      end();
      if (isDragging) latest.current.onCancel();
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !isDragging) return;
      key.stopPropagation();
      cancel();
      window.addEventListener('pointerup', suppressClick, { once: true, capture: true });
    };
    document.addEventListener('pointermove', move, on);
    document.addEventListener('pointerup', drop, on);
    document.addEventListener('pointercancel', cancel, on);
    document.addEventListener('keydown', onKey, on);
  };
  return { start, target };
}

function targetAt({ clientX, clientY }: PointerEvent): DropTarget | undefined {
  const found = document.elementFromPoint(clientX, clientY);
  const row = found?.closest<HTMLElement>('[data-field]');
  if (!row) return found?.closest('[data-drop-area]') ? { pointer: '', edge: 'into' } : undefined;
  const { field: pointer = '', group } = row.dataset;
  const { top, height } = row.getBoundingClientRect();
  const part = (clientY - top) / height;
  if (pointer === '') return { pointer, edge: 'into' };
  if (group !== undefined && part > EDGE && part < 1 - EDGE) return { pointer, edge: 'into' };
  return { pointer, edge: part < 0.5 ? 'before' : 'after' };
}

/** Scrolls the outline while something is dragged to its edge. */
function scrollNear({ clientX, clientY }: PointerEvent): void {
  const pane = document.elementFromPoint(clientX, clientY)?.closest('.gh-pane');
  if (!pane) return;
  const { top, bottom } = pane.getBoundingClientRect();
  if (clientY < top + 30) pane.scrollTop -= 12;
  else if (clientY > bottom - 30) pane.scrollTop += 12;
}

/** The browser sends a click after a drag that ends where it began: it must not select or add anything. */
function suppressClick(): void {
  const cancelClick = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', cancelClick, { once: true, capture: true });
  window.setTimeout(() => window.removeEventListener('click', cancelClick, { capture: true }), 0);
}

import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  applyEdit,
  checkAt,
  type Edit,
  type FormState,
  type Row,
  type RowError,
  valueFromText,
} from '../../model/index.js';
import { useDesk } from '../form-controller.js';

/**
 * Target when an editor in the grid is left: its row, the next or previous one, or the element that has the
 * focus already.
 */
export type Leave = 'stay' | 'next' | 'previous' | 'away';

export interface EditorProps {
  readonly row: Row;
  /** Id of the control, for its label. */
  readonly id: string;
  /** Initial text of the editor. */
  readonly seed?: string | undefined;
  /** Called when an editor in the grid closes; undefined on a plain page, where editors stay. */
  readonly onLeave?: ((how: Leave) => void) | undefined;
}

/** The text in an editor, and its errors. */
export interface Draft {
  readonly text: string;
  readonly errors: readonly RowError[];
  readonly write: (text: string) => void;
  /** Sets the text as the value of the row. */
  readonly take: (text?: string) => void;
  readonly drop: () => void;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
  /** Enter accepts, Escape discards, Tab accepts and moves to the next control. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Holds the edited text of a row; the form does not change before the text is accepted. */
export function useDraft({ row, seed, onLeave }: EditorProps): Draft {
  const desk = useDesk();
  const [text, setText] = useState(seed ?? row.text);
  const [isTouched, setTouched] = useState(seed !== undefined);
  const shown = useRef(row.text);
  const isOver = useRef(false);
  const latest = useRef(text);
  latest.current = text;

  useLayoutEffect(() => {
    if (shown.current === row.text) return;
    shown.current = row.text;
    setText(row.text);
    setTouched(false);
  }, [row.text]);

  const take = (last = latest.current) => {
    if (isOver.current) return;
    if (onLeave) isOver.current = true;
    if (last !== row.text) desk.edit(editFor(desk.now(), row, last));
  };
  const drop = () => {
    isOver.current = onLeave !== undefined;
    setText(row.text);
    setTouched(false);
  };
  const leave = (how: Leave) => {
    desk.hold(undefined);
    onLeave?.(how);
  };

  const errors = useMemo(
    () => (isTouched ? errorsOfDraft(desk.now(), row, text) : row.errors),
    [desk, row, text, isTouched],
  );
  return {
    text,
    errors,
    write: (next) => {
      setText(next);
      setTouched(true);
    },
    take,
    drop,
    onFocus: () => desk.hold(() => take()),
    onBlur: (event) => {
      if (isElsewhere(event)) return;
      take();
      leave('away');
    },
    onKeyDown: (event) => {
      const how = leaveBy(event);
      if (how === undefined || (how !== 'drop' && onLeave === undefined && event.key === 'Tab')) return;
      event.preventDefault();
      if (how === 'drop') drop();
      else take();
      leave(how === 'drop' ? 'stay' : how);
    },
  };
}

/** Returns true if the whole window has lost the focus, and the control will get it back. */
export function isElsewhere({ target }: { readonly target: EventTarget }): boolean {
  return target === document.activeElement;
}

function leaveBy(event: KeyboardEvent): Leave | 'drop' | undefined {
  if (event.key === 'Escape') return 'drop';
  if (event.key === 'Tab') return event.shiftKey ? 'previous' : 'next';
  const isLines = event.target instanceof HTMLTextAreaElement && !event.ctrlKey;
  return event.key === 'Enter' && !isLines ? 'stay' : undefined;
}

function editFor(state: FormState, { pointer }: Row, text: string): Edit {
  const value = valueFromText(state, pointer, text);
  return value === undefined ? { kind: 'clear', pointer } : { kind: 'set', pointer, value };
}

/** Validates the text on a copy of the state. */
function errorsOfDraft(state: FormState, row: Row, text: string): readonly RowError[] {
  const tried = checkAt(applyEdit(state, editFor(state, row, text)), row.pointer);
  return tried.errors.filter(({ pointer }) => pointer === row.pointer);
}

/** Shows the errors of the edited text below it. */
export function DraftErrors({
  id,
  errors,
}: {
  readonly id: string;
  readonly errors: readonly RowError[];
}): ReactNode {
  return (
    <span id={id} className="gf-draft-errors">
      {errors.map(({ message }) => (
        <span key={message} className="gf-error">
          {message}
        </span>
      ))}
    </span>
  );
}

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

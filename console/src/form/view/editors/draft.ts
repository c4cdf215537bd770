import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
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

/** Where to go when an editor in the grid is left: back to its row, on to another one, or where the person went already. */
export type Leave = 'stay' | 'next' | 'previous' | 'away';

export interface EditorProps {
  readonly row: Row;
  /** Of the control, for the label beside it. */
  readonly id: string;
  /** What the editor begins with. */
  readonly seed?: string | undefined;
  /** Given in the grid, where an editor comes and goes; on a plain page it stays. */
  readonly onLeave?: ((how: Leave) => void) | undefined;
}

/** A text that is being written, and what is wrong with it so far. */
export interface Draft {
  readonly text: string;
  readonly errors: readonly RowError[];
  readonly write: (text: string) => void;
  /** Makes it the value of the row. */
  readonly take: (text?: string) => void;
  readonly drop: () => void;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
  /** Enter takes, Escape drops, Tab takes and goes on. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Lets somebody write at a row; nothing of it is in the form before it is taken. */
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

/** True when the whole window has lost the focus, and the control will have it again. */
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

/** Tries the text on a state that nobody sees. */
function errorsOfDraft(state: FormState, row: Row, text: string): readonly RowError[] {
  const tried = checkAt(applyEdit(state, editFor(state, row, text)), row.pointer);
  return tried.errors.filter(({ pointer }) => pointer === row.pointer);
}

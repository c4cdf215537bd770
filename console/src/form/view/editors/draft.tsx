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
import { isComposing } from '../../../text/keys.js';
import {
  applyEdit,
  checkAt,
  type Edit,
  type FormState,
  type Row,
  type RowError,
  valueFromText,
} from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { errorTexts } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';

/** Focus target of a closed editor: its row, the next or previous row, or the element that got the focus. */
export type LeaveTarget = 'stay' | 'next' | 'previous' | 'away';

export interface EditorProps {
  readonly row: Row;
  /** Id of the control, for its label. */
  readonly id: string;
  /** Id of the help below the control, which describes it besides its errors. */
  readonly notesId?: string | undefined;
  /** Initial text of the editor. */
  readonly initialText?: string | undefined;
  /** Called when an editor in the grid closes. Undefined in the view of fields, where editors stay open. */
  readonly onLeave?: ((target: LeaveTarget) => void) | undefined;
}

/** The text in an editor, and its errors. */
export interface Draft {
  readonly text: string;
  readonly errors: readonly RowError[];
  readonly write: (text: string) => void;
  /** Sets the text as the value of the row. */
  readonly accept: (text?: string) => void;
  readonly discard: () => void;
  readonly isRefused: boolean;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
  /** Enter accepts, Escape discards, Tab accepts and moves to the next control. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Returns the edited text of a row. The form does not change before the text is accepted. `valueTextOf` returns the text
 * of the value for a typed text, undefined for a text that is not accepted: leaving the control restores the value.
 */
export function useDraft(
  { row, initialText, onLeave }: EditorProps,
  valueTextOf: (text: string) => string | undefined = (typed) => typed,
): Draft {
  const controller = useFormController();
  const [text, setText] = useState(initialText ?? row.text);
  const [isTouched, setTouched] = useState(initialText !== undefined);
  const shown = useRef(row.text);
  const isClosed = useRef(false);
  const latest = useRef({ row, text });
  latest.current = { row, text };

  useLayoutEffect(() => {
    if (shown.current === row.text) return;
    shown.current = row.text;
    setText(row.text);
    setTouched(false);
  }, [row.text]);

  /** Sets the text of now as the value of the row. The editor stays open. */
  const save = (finalText = latest.current.text) => {
    const { row: shownRow } = latest.current;
    const valueText = finalText === shownRow.text ? finalText : valueTextOf(finalText);
    if (isClosed.current || valueText === undefined || valueText === shownRow.text) return;
    controller.edit(editFor(controller.now(), shownRow, valueText));
  };
  const accept = (finalText?: string) => {
    const typed = finalText ?? latest.current.text;
    save(typed);
    if (!isClosed.current && typed !== row.text && valueTextOf(typed) !== typed) restore(typed);
    if (onLeave) isClosed.current = true;
  };
  /** Shows the value again in place of a text that is not its text. */
  const restore = (typed: string) => {
    const valueText = valueTextOf(typed);
    if (valueText === undefined)
      controller.announce(formText('notAnOption', { title: row.title, value: typed }));
    setText(valueText ?? row.text);
    setTouched(false);
  };
  const discard = () => {
    isClosed.current = onLeave !== undefined;
    setText(row.text);
    setTouched(false);
  };
  const leave = (target: LeaveTarget) => {
    controller.setPending(undefined);
    onLeave?.(target);
  };

  const errors = useMemo(
    () => (isTouched ? errorsOfDraft(controller.now(), row, text) : row.errors),
    [controller, row, text, isTouched],
  );
  return {
    text,
    errors,
    write: (next) => {
      latest.current = { ...latest.current, text: next };
      setText(next);
      setTouched(true);
      controller.setPending(() => save());
    },
    accept,
    discard,
    isRefused: text !== row.text && valueTextOf(text) === undefined,
    onFocus: () => controller.setPending(() => save()),
    onBlur: (event) => {
      if (isWindowBlur(event)) return;
      afterPress(() => {
        accept();
        leave('away');
      });
    },
    onKeyDown: (event) => {
      const target = leaveTargetOf(event);
      if (target === undefined || (target !== 'drop' && onLeave === undefined && event.key === 'Tab')) return;
      event.preventDefault();
      if (target === 'drop') discard();
      else accept();
      leave(target === 'drop' ? 'stay' : target);
    },
  };
}

/** Returns true if the window lost the focus, and not only the control. */
export function isWindowBlur({ target }: { readonly target: EventTarget }): boolean {
  return target === document.activeElement;
}

function leaveTargetOf(event: KeyboardEvent): LeaveTarget | 'drop' | undefined {
  if (isComposing(event)) return undefined;
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
export function errorsOfDraft(state: FormState, row: Row, text: string): readonly RowError[] {
  const checked = checkAt(applyEdit(state, editFor(state, row, text)), row.pointer);
  return checked.errors.filter(({ pointer }) => pointer === row.pointer);
}

/** Shows the errors of the edited text below it. */
export function DraftErrors({
  id,
  errors,
}: {
  readonly id: string;
  readonly errors: readonly RowError[];
}): ReactNode {
  const controller = useFormController();
  return (
    <span id={id} className="gf-draft-errors">
      {errorTexts(controller.now(), errors).map((message) => (
        <span key={message} className="gf-error" dir="auto">
          {message}
        </span>
      ))}
    </span>
  );
}

/** Returns the ids of the elements that describe a control: its errors, and the help below it. */
export function describedBy({ id, notesId }: Pick<EditorProps, 'id' | 'notesId'>): string {
  return notesId === undefined ? `${id}-errors` : `${id}-errors ${notesId}`;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Focuses a new control in the grid. Selects its text, or puts the cursor after the initial text. */
export function useInitialFocus<C extends Control>(
  isGrid: boolean,
  initialText: string | undefined,
): RefObject<C | null> {
  const control = useRef<C>(null);
  useLayoutEffect(() => {
    const element = control.current;
    if (!isGrid || !element) return;
    element.focus({ preventScroll: true });
    if (element instanceof HTMLSelectElement) return;
    if (initialText === undefined) element.select();
    else if (element.type !== 'file') element.setSelectionRange(initialText.length, initialText.length);
    // Only on mount: afterwards the user moves the focus.
  }, []);
  return control;
}

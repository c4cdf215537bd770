import { type ClipboardEvent, type RefObject, useEffect, useMemo } from 'react';
import { listFormat } from '../../text/locale.js';
import {
  canRedo,
  canUndo,
  checkAll,
  checkAt,
  type FormState,
  isCsvFor,
  nextError,
  paste,
  redo,
  type Row,
  rowAt,
  undo,
  validationResultOf,
  valueFromText,
  withoutSecrets,
  writeJson,
} from '../model/index.js';
import { pasteProblemText } from './error-text.js';
import type { FormController } from './form-controller.js';
import { formText } from './form-text.js';
import { mayEdit } from './row-actions.js';

interface ActionSource {
  readonly controller: FormController;
  readonly root: RefObject<HTMLElement | null>;
  /** Returns the id of the current row. */
  readonly currentRowId: () => string | undefined;
  /** Saves the form, where a page can; otherwise Ctrl+S opens the review. */
  readonly onSave: RefObject<((state: FormState) => void) | undefined>;
}

export function useFormActions({ controller, root, currentRowId, onSave }: ActionSource): FormActions {
  return useMemo(
    () => ({
      submit: () => submit(controller),
      save: () => {
        controller.flush();
        if (onSave.current) onSave.current(controller.now());
        else submit(controller);
      },
      undo: () => undoStep(controller),
      redo: () => redoStep(controller),
      search: () => root.current?.querySelector<HTMLElement>('.gf-search input')?.focus(),
      keys: () => controller.showDialog({ kind: 'keys' }),
      nextError: (step) => {
        const id = nextError(controller.now(), currentRowId(), step);
        if (id === undefined) controller.announce(formText('noErrors'));
        else controller.goTo({ id, stop: 0 });
      },
    }),
    [controller, root, currentRowId, onSave],
  );
}

export function undoStep(controller: FormController): void {
  if (!canUndo(controller.now())) return;
  controller.change(undo(controller.now()));
  controller.announce(formText('undone'));
}

export function redoStep(controller: FormController): void {
  if (!canRedo(controller.now())) return;
  controller.change(redo(controller.now()));
  controller.announce(formText('redone'));
}

/** Validates the whole document. Opens the dialog with the errors, or with the changes if there are none. */
function submit(controller: FormController): void {
  controller.flush();
  const checked: FormState = checkAll(controller.now());
  controller.change(checked);
  if (validationResultOf(checked) === 'invalid') controller.showDialog({ kind: 'errors' });
  else controller.showDialog({ kind: 'changes' });
}

/** Actions with a keyboard shortcut that works everywhere in a form. */
interface FormActions {
  readonly submit: () => void;
  readonly save: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly search: () => void;
  readonly keys: () => void;
  readonly nextError: (step: 1 | -1) => void;
}

/** A pressed key, in an event of the library or of the browser. */
type PressedKey = Pick<
  globalThis.KeyboardEvent,
  'defaultPrevented' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'key' | 'target' | 'preventDefault'
>;

/** Runs the action of a keyboard shortcut. Letters are shortcuts only outside of text inputs. */
export function formKey(event: PressedKey, actions: FormActions): void {
  if (event.defaultPrevented || event.altKey) return;
  const isTyping = isTextInput(event.target);
  const action =
    event.ctrlKey || event.metaKey
      ? ctrlAction(event, isTyping)
      : isTyping
        ? undefined
        : LETTER_ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action(actions);
}

/**
 * Runs the letter shortcuts also while nothing in the form has the focus, but not in text inputs, in dialogs, or
 * while the form is hidden.
 */
export function usePageKeys(root: RefObject<HTMLElement | null>, actions: FormActions): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const { current } = root;
      const { target } = event;
      const isInForm = target instanceof Node && current?.contains(target) === true;
      const isDialog = document.querySelector('dialog[open], [role=dialog]') !== null;
      if (isInForm || isDialog || current?.checkVisibility() !== true || event.ctrlKey || event.metaKey)
        return;
      if (target instanceof HTMLElement && target.isContentEditable) return;
      formKey(event, actions);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [root, actions]);
}

type Action = (actions: FormActions) => void;

const LETTER_ACTIONS: Readonly<Record<string, Action>> = {
  '/': ({ search }) => search(),
  '?': ({ keys }) => keys(),
  n: ({ nextError }) => nextError(1),
  p: ({ nextError }) => nextError(-1),
};

/** Returns the action of a Ctrl shortcut. In a text input, the browser handles undo and redo. */
function ctrlAction({ key, shiftKey }: PressedKey, isTyping: boolean): Action | undefined {
  const letter = key.toLowerCase();
  if (letter === 's') return ({ save }) => save();
  if (isTyping) return undefined;
  if (letter === 'y' || (letter === 'z' && shiftKey)) return ({ redo }) => redo();
  return letter === 'z' ? ({ undo }) => undo() : undefined;
}

const BUTTON_TYPES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'file']);

/** Returns true for a control that accepts letters. */
export function isTextInput(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !BUTTON_TYPES.has(target.type);
}

/** Maximum number of problems in a message. */
const MAX_REPORTED_PROBLEMS = 3;

/**
 * Pastes a text at a row: a value at a leaf, JSON or lines of path and value at any other row. Announces the
 * result.
 */
export function pasteAt(controller: FormController, id: string, text: string): void {
  const row = rowAt(controller.now(), id);
  if (row && mayEdit(row, controller)) controller.withContent(row, () => pasteInto(controller, row, text));
}

function pasteInto(controller: FormController, row: Row, text: string): void {
  const { pointer } = row;
  if (row.kind === 'list' && isCsvFor(controller.now(), pointer, text)) {
    controller.showDialog({ kind: 'csv', id: row.id, text });
    return;
  }
  if (row.kind === 'leaf' && !/[\n{["]/.test(text.trim())) {
    const value = valueFromText(controller.now(), pointer, text.trim());
    if (value !== undefined) controller.edit({ kind: 'set', pointer, value });
    controller.announce(formText('pasted', { count: 1 }));
    return;
  }
  const { state, applied, problems } = paste(controller.now(), pointer, text);
  controller.change(checkAt(state, pointer));
  const shown = problems.slice(0, MAX_REPORTED_PROBLEMS).map(pasteProblemText);
  controller.announce(
    shown.length > 0
      ? formText('pastedPartly', { count: applied, problems: listFormat().format(shown) })
      : formText('pasted', { count: applied }),
  );
}

/**
 * Copies the path and the value of a row as a line that can be pasted into a form again. A selected text and
 * the text in an input are copied by the browser. A secret is never copied.
 */
export function copyRow(event: ClipboardEvent, controller: FormController, id: string | undefined): void {
  const hasSelection = window.getSelection()?.isCollapsed === false;
  const row = id === undefined ? undefined : rowAt(controller.now(), id);
  if (!row || hasSelection || isTextInput(event.target)) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', lineOf(controller, row));
  controller.announce(formText('copiedRow'));
}

function lineOf(controller: FormController, { pointer, editor }: Row): string {
  const isSecret = editor.kind === 'text' && editor.secret;
  const value = withoutSecrets(controller.now(), pointer, '');
  return value === undefined || isSecret ? pointer : `${pointer} ${writeJson(value)}`;
}

export function copyPath(controller: FormController, { pointer }: Row): void {
  navigator.clipboard.writeText(pointer).then(
    () => controller.announce(formText('copiedPath')),
    () => controller.announce(formText('notCopied')),
  );
}

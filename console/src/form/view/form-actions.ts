import { type KeyboardEvent, type RefObject, useMemo } from 'react';
import {
  canRedo,
  canUndo,
  checkAll,
  checkAt,
  type FormState,
  nextError,
  paste,
  redo,
  rowAt,
  undo,
  validationResultOf,
  valueFromText,
} from '../model/index.js';
import type { FormController } from './form-controller.js';
import { mayEdit } from './row-actions.js';

export interface ActionFacts {
  readonly desk: FormController;
  readonly root: RefObject<HTMLElement | null>;
  /** Returns the id of the current row. */
  readonly here: () => string | undefined;
}

/** Returns the actions of the form's keys and tools. */
export function useFormActions({ desk, root, here }: ActionFacts): FormActions {
  return useMemo(
    () => ({
      submit: () => submit(desk),
      undo: () => stepBack(desk),
      redo: () => stepForth(desk),
      search: () => root.current?.querySelector<HTMLElement>('.gf-search input')?.focus(),
      keys: () => desk.show({ kind: 'keys' }),
      nextError: (step) => {
        const id = nextError(desk.now(), here(), step);
        if (id === undefined) desk.say(desk.labels.noErrors);
        else desk.goTo({ id, stop: 0 });
      },
    }),
    [desk, root, here],
  );
}

/** Undoes a step and announces it. */
export function stepBack(desk: FormController): void {
  if (!canUndo(desk.now())) return;
  desk.change(undo(desk.now()));
  desk.say(desk.labels.undone);
}

/** Redoes a step and announces it. */
export function stepForth(desk: FormController): void {
  if (!canRedo(desk.now())) return;
  desk.change(redo(desk.now()));
  desk.say(desk.labels.redone);
}

/** Checks the whole document; shows the changes if it is valid, and the errors otherwise. */
export function submit(desk: FormController): void {
  desk.flush();
  const checked: FormState = checkAll(desk.now());
  desk.change(checked);
  if (validationResultOf(checked) === 'invalid') desk.show({ kind: 'errors' });
  else desk.show({ kind: 'changes' });
}

/** Actions that are available everywhere in a form. */
export interface FormActions {
  readonly submit: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly search: () => void;
  readonly keys: () => void;
  readonly nextError: (step: 1 | -1) => void;
}

/** Handles keys with the same meaning everywhere in a form. Letters count only outside of text inputs. */
export function formKey(event: KeyboardEvent, actions: FormActions): void {
  if (event.defaultPrevented || event.altKey) return;
  const isWritten = isWriting(event.target);
  const act =
    event.ctrlKey || event.metaKey ? withCtrl(event, isWritten) : isWritten ? undefined : LETTERS[event.key];
  if (!act) return;
  event.preventDefault();
  act(actions);
}

type Act = (actions: FormActions) => void;

const LETTERS: Readonly<Record<string, Act>> = {
  '/': ({ search }) => search(),
  '?': ({ keys }) => keys(),
  n: ({ nextError }) => nextError(1),
  p: ({ nextError }) => nextError(-1),
};

/** Inside a text, undo belongs to the browser. */
function withCtrl({ key, shiftKey }: KeyboardEvent, isWritten: boolean): Act | undefined {
  const letter = key.toLowerCase();
  if (letter === 's') return ({ submit }) => submit();
  if (isWritten) return undefined;
  if (letter === 'y' || (letter === 'z' && shiftKey)) return ({ redo }) => redo();
  return letter === 'z' ? ({ undo }) => undo() : undefined;
}

const PRESSED: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'file']);

/** Returns true for a control that letters are typed into. */
export function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !PRESSED.has(target.type);
}

/** Maximum number of problems in a message; further ones are similar. */
const SAID = 3;

/**
 * Pastes a text at a row: a value at a leaf, JSON or lines of path and value at any other row. Announces the
 * result.
 */
export function pasteAt(desk: FormController, id: string, text: string): void {
  const row = rowAt(desk.now(), id);
  if (!row || !mayEdit(row, desk)) return;
  const { pointer } = row;
  if (row.kind === 'leaf' && !/[\n{["]/.test(text.trim())) {
    const value = valueFromText(desk.now(), pointer, text.trim());
    if (value !== undefined) desk.edit({ kind: 'set', pointer, value });
    desk.say(desk.labels.pasted(1));
    return;
  }
  const { state, applied, problems } = paste(desk.now(), pointer, text);
  desk.change(checkAt(state, pointer));
  const faults = problems.slice(0, SAID).map(({ line, message }) => `${desk.labels.line(line)}: ${message}`);
  const refused = faults.length > 0 ? ` ${desk.labels.pasteFaults}: ${faults.join('; ')}` : '';
  desk.say(`${desk.labels.pasted(applied)}.${refused}`);
}

import type { KeyboardEvent } from 'react';

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

/** True for a control that letters are typed into. */
export function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !PRESSED.has(target.type);
}

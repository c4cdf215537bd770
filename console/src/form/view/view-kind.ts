import { useLayoutEffect, useState } from 'react';
import { type FormState, hasAtMostFields, openAsForm } from '../model/index.js';
import type { FormController } from './form-controller.js';

/** How a form is shown: as a page of labeled fields, or as a treegrid. */
export type ViewKind = 'form' | 'table';

/** A form with more fields than this is shown as a table, until the user chooses otherwise. */
const MAX_FIELDS = 60;

interface ViewSource {
  readonly state: FormState;
  readonly controller: FormController;
  /** The view to start with; by default, the user's last choice for a form of this size. */
  readonly startView: ViewKind | undefined;
}

/** Returns the view of a form, and a function that shows another one. The choice is remembered. */
export function useViewKind({
  state,
  controller,
  startView,
}: ViewSource): readonly [ViewKind, (view: ViewKind) => void] {
  const [isShort] = useState(() => hasAtMostFields(state, MAX_FIELDS));
  const [view, setView] = useState<ViewKind>(
    () => startView ?? rememberedView(isShort) ?? (isShort ? 'form' : 'table'),
  );
  useLayoutEffect(() => {
    if (view === 'form') controller.change(openAsForm(controller.now()));
  }, [view, controller, state.form]);
  const choose = (next: ViewKind) => {
    controller.flush();
    rememberView(isShort, next);
    setView(next);
  };
  return [view, choose];
}

/** Short and long forms have their own choice: who prefers fields may still want a table of 2,000 rows. */
function storageKey(isShort: boolean): string {
  return isShort ? 'gatehouse.form-view.short' : 'gatehouse.form-view.long';
}

function rememberedView(isShort: boolean): ViewKind | undefined {
  try {
    const view = localStorage.getItem(storageKey(isShort));
    return view === 'form' || view === 'table' ? view : undefined;
  } catch {
    return undefined; // The browser refuses storage.
  }
}

function rememberView(isShort: boolean, view: ViewKind): void {
  try {
    localStorage.setItem(storageKey(isShort), view);
  } catch {
    // The browser refuses storage: the choice lasts until the page is closed.
  }
}

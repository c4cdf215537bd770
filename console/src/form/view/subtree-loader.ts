import type { SchemaSubtree } from '../../../../src/form-model/schema-subtrees.js';
import { errorMessage } from '../../../../src/lib/error-message.js';
import {
  type FormState,
  freeWordsOf,
  leftOutInOpenRows,
  leftOutOfValues,
  rowsOf,
  withLoadedSubtrees,
  withOpen,
} from '../model/index.js';
import { formText } from './form-text.js';

/** What to load of a schema: the object at a pointer into it, or the objects that match a search. */
type WantedSubtrees = { readonly pointer: string } | { readonly search: string };

export type LoadSubtrees = (wanted: WantedSubtrees) => Promise<LoadedSubtrees>;

/** Loaded subtrees; truncated if a search matches more. */
interface LoadedSubtrees {
  readonly subtrees: readonly SchemaSubtree[];
  readonly truncated: boolean;
}

interface LoadedForm {
  readonly now: () => FormState;
  readonly change: (next: FormState) => void;
  readonly announce: (text: string) => void;
}

export interface SubtreeLoader {
  /** Loads what the form lacks of its open rows, its values and its errors, and what a search may match. */
  readonly update: () => void;
  /** Loads the subtrees at these pointers. Rejects if one cannot be loaded. */
  readonly load: (pointers: readonly string[]) => Promise<void>;
  readonly close: () => void;
}

/** Duration without typing after which the server searches. */
const TYPING_PAUSE_MS = 300;

/** Shorter words match almost everything. */
const MIN_SEARCH_LENGTH = 2;

/** Creates the loader of a form whose schema was loaded in part. */
export function createSubtreeLoader(controller: LoadedForm, loadSubtrees: LoadSubtrees): SubtreeLoader {
  const running = new Map<string, Promise<void>>();
  /** Pointers that could not be loaded, until their row is closed. */
  const failed = new Set<string>();
  let searched = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const add = ({ subtrees }: LoadedSubtrees) => {
    if (!isClosed) controller.change(withLoadedSubtrees(controller.now(), subtrees));
  };
  const loadOne = (pointer: string): Promise<void> => {
    const known = running.get(pointer);
    if (known) return known;
    const loading = loadSubtrees({ pointer })
      .then(add)
      .finally(() => running.delete(pointer));
    running.set(pointer, loading);
    return loading;
  };
  const fail = (pointer: string, error: unknown): void => {
    if (isClosed) return;
    failed.add(pointer);
    const { rows } = rowsOf(controller.now());
    const affected = rows.filter((row) => row.open && row.leftOut.includes(pointer));
    controller.change(affected.reduce((state, { id }) => withOpen(state, id, false), controller.now()));
    controller.announce(formText('partFailed', { reason: errorMessage(error) }));
  };
  const search = async (words: string): Promise<void> => {
    try {
      const found = await loadSubtrees({ search: words });
      if (isClosed || words !== searched) return;
      add(found);
      const count = rowsOf(controller.now()).hits;
      controller.announce(formText(found.truncated ? 'hitsTruncated' : 'hits', { count }));
    } catch (error) {
      if (!isClosed) controller.announce(formText('partFailed', { reason: errorMessage(error) }));
    }
  };
  const updateSearch = () => {
    const words = freeWordsOf(controller.now().filter);
    if (words === searched) return;
    searched = words;
    clearTimeout(timer);
    if (words.length >= MIN_SEARCH_LENGTH) timer = setTimeout(() => void search(words), TYPING_PAUSE_MS);
  };

  return {
    update() {
      updateSearch();
      const state = controller.now();
      const inRows = leftOutInOpenRows(state);
      const ofValues = leftOutOfValues(state);
      for (const pointer of failed) if (![...inRows, ...ofValues].includes(pointer)) failed.delete(pointer);
      for (const pointer of new Set([...inRows, ...ofValues]))
        if (!failed.has(pointer)) loadOne(pointer).catch((error: unknown) => fail(pointer, error));
    },
    load: async (pointers) => {
      await Promise.all(pointers.map(loadOne));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

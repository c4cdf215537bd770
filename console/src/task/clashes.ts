import { pointerTokens } from '../../../src/json/pointer.js';
import {
  applyEdit,
  type Conflict,
  type FormState,
  isList,
  type Json,
  jsonAt,
  parentPointer,
  pointerIn,
  rowAt,
  sameJson,
  withoutSecrets,
} from '../form/model/index.js';
import { text } from './task-text.js';

// A clash stays open until the person chooses. Meanwhile the form stays editable, entries of lists may move, and other
// people may save again. So an open clash keeps the document to which its pointer belongs, and is located in the
// form of now before it is shown or applied.

/** The value that a person chooses for a clash: the own one, that of the other person, or the proposed one. */
export type ClashChoice = 'mine' | 'theirs' | 'proposed';

/** A value that two people changed differently, and that waits for a choice. */
export interface OpenClash extends Conflict {
  /** Name of the other person. */
  readonly by: string;
  /** The document of the pointer. */
  readonly document: Json | undefined;
}

/** An open clash in the form of now, for people. */
export interface Clash {
  /** Location in the form. */
  readonly pointer: string;
  readonly by: string;
  /** Titles from the root to the field. */
  readonly title: string;
  /** True for an entry that this person removed, and the other one changed. */
  readonly isRemovedEntry: boolean;
  readonly theirs: Json | undefined;
  readonly proposed: Json | undefined;
  /** The values as people may see them: without secrets. */
  readonly shown: Readonly<Record<ClashChoice, Json | undefined>>;
}

/** Returns the conflicts of a merge as open clashes with a person. */
export function openClashesOf(
  conflicts: readonly Conflict[],
  { by, document }: Pick<OpenClash, 'by' | 'document'>,
): readonly OpenClash[] {
  return conflicts.map((conflict) => ({ ...conflict, by, document }));
}

/**
 * Returns the open clashes after another version was saved: those of the last merge, and the earlier ones with the value
 * of the newer version.
 */
export function withNewer(
  earlier: readonly OpenClash[],
  merged: { readonly state: FormState; readonly clashes: readonly OpenClash[] },
  saved: Json,
): readonly OpenClash[] {
  const { state, clashes } = merged;
  const known = new Set(clashes.map(({ pointer }) => pointer));
  const kept = earlier.flatMap((clash) => {
    const at = locationOf(state, clash);
    if (at === undefined || known.has(at)) return [];
    const theirs = pointerIn(saved, { document: state.data, pointer: at }, state.form.root);
    return [
      {
        ...clash,
        pointer: at,
        document: state.data,
        // An entry that is absent in the form has no location in other versions: the known value stays.
        theirs: isRemovedEntry(clash)
          ? clash.theirs
          : theirs === undefined
            ? undefined
            : jsonAt(saved, theirs),
      },
    ];
  });
  return [...kept, ...clashes];
}

/** Returns the clashes that still wait for a choice, at their location in the form of now. */
export function locatedClashes(state: FormState, open: readonly OpenClash[]): readonly Clash[] {
  return open.flatMap((clash) => {
    const pointer = locationOf(state, clash);
    const isRemoved = isRemovedEntry(clash);
    if (pointer === undefined) return [];
    const mine = isRemoved ? undefined : jsonAt(state.data, pointer);
    // The person entered the value of the other one meanwhile.
    if (sameJson(mine, clash.theirs)) return [];
    const proposed = isRemoved ? undefined : proposedAt(state, pointer);
    const shownOf = (value: Json | undefined): Json | undefined =>
      value === undefined
        ? undefined
        : withoutSecrets(withValueAt(state, { pointer, isRemoved, value }), pointer, text('hidden'));
    return [
      {
        pointer,
        by: clash.by,
        title: rowAt(withValueAt(state, { pointer, isRemoved, value: clash.theirs }), pointer)?.title ?? '',
        isRemovedEntry: isRemoved,
        theirs: clash.theirs,
        proposed,
        shown: { mine: shownOf(mine), theirs: shownOf(clash.theirs), proposed: shownOf(proposed) },
      },
    ];
  });
}

/** Returns the form with the chosen value of each clash. The own value is that of the form already. */
export function withChoices(
  form: FormState,
  clashes: readonly Clash[],
  choices: Readonly<Record<string, ClashChoice>>,
): FormState {
  // In reverse order, because an added or removed entry changes the indexes of later entries.
  return clashes.toReversed().reduce((state, { pointer, isRemovedEntry: isRemoved, theirs, proposed }) => {
    const choice = choices[pointer] ?? 'mine';
    if (choice === 'mine') return state;
    return withValueAt(state, { pointer, isRemoved, value: choice === 'theirs' ? theirs : proposed });
  }, form);
}

interface ValueAt {
  readonly pointer: string;
  /** True if the list has no entry for the value: the pointer is that of the next one. */
  readonly isRemoved: boolean;
  readonly value: Json | undefined;
}

function withValueAt(state: FormState, { pointer, isRemoved, value }: ValueAt): FormState {
  if (value === undefined) return isRemoved ? state : applyEdit(state, { kind: 'remove', pointer });
  if (!isRemoved) return applyEdit(state, { kind: 'set', pointer, value });
  const at = Number(pointerTokens(pointer).at(-1));
  return applyEdit(state, { kind: 'add', pointer: parentPointer(pointer), value, at });
}

function isRemovedEntry({ ours, document, pointer }: OpenClash): boolean {
  return ours === undefined && pointer !== '' && isList(jsonAt(document, parentPointer(pointer)));
}

/** Returns the location of an open clash in the form of now; undefined if its entry is no longer there. */
function locationOf({ data, form }: FormState, clash: OpenClash): string | undefined {
  const { pointer, document } = clash;
  if (!isRemovedEntry(clash)) return pointerIn(data, { document, pointer }, form.root);
  const list = pointerIn(data, { document, pointer: parentPointer(pointer) }, form.root);
  const entries = list === undefined ? undefined : jsonAt(data, list);
  if (list === undefined || !isList(entries)) return undefined;
  return `${list}/${Math.min(Number(pointerTokens(pointer).at(-1)), entries.length)}`;
}

/** Returns the proposed value of a location; undefined if the proposal has none. */
function proposedAt(state: FormState, pointer: string): Json | undefined {
  const reverted = applyEdit(state, { kind: 'revert', pointer });
  const parent = rowAt(state, pointer)?.parent;
  const lengthIn = (each: FormState): number => {
    const list = parent === undefined ? undefined : rowAt(each, parent)?.value;
    return isList(list) ? list.length : 0;
  };
  // Without the entry in the proposal, the next entry of the list has this pointer.
  return lengthIn(reverted) < lengthIn(state) ? undefined : rowAt(reverted, pointer)?.value;
}

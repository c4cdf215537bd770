import { useRef } from 'react';
import { ownerOf } from '../../design/branches.js';
import { text } from '../../design/designer-text.js';
import { copyOfField, duplicateField, pasteField } from '../../design/field-copy.js';
import { addField, type Edited, removeField } from '../../design/field-edits.js';
import type { FieldKind } from '../../design/field-kinds.js';
import { pathWords, placeOf } from '../../design/field-location.js';
import { shownNames } from '../../design/field-order.js';
import { objectAt } from '../../design/json-edit.js';
import { type Destination, type MoveDirection, moveField, placeField } from '../../design/move-field.js';
import { containerOf } from '../../design/outline.js';
import { useToast } from '../../kit/toasts.js';
import type { Design } from './use-design.js';
import type { Dragged, DropTarget } from './use-field-drag.js';

export interface FieldActions {
  readonly add: (kind: FieldKind) => void;
  readonly move: (direction: MoveDirection) => void;
  readonly remove: () => void;
  /** Moves a dragged field, or adds one of a dragged type. Returns the result in words. */
  readonly drop: (dragged: Dragged, target: DropTarget) => string;
  readonly duplicate: () => void;
  /** Returns the field as a text for the clipboard; undefined for the form itself. */
  readonly copy: () => string | undefined;
  /** Adds a copied field. Says so if the text is not a copied field. */
  readonly paste: (copied: string) => void;
  /** Moves the focus to the name of the field. */
  readonly edit: () => void;
}

export function useFieldActions({ draft, selected, change, select, nameFocus }: Design): FieldActions {
  const showToast = useToast();
  const latest = useRef(draft);
  latest.current = draft;
  const apply = ({ draft: next, pointer }: Edited) => {
    change(next);
    select(pointer);
  };
  const applyNew = (edited: Edited) => {
    nameFocus.current = true;
    apply(edited);
  };
  return {
    add: (kind) => {
      const container = containerFor(latest.current.schema, selected);
      applyNew(addField(latest.current, container, { name: nameOf(kind), kind }));
    },
    move: (direction) => {
      const move = moveField(latest.current, selected, direction);
      if ('why' in move) showToast('info', move.why);
      else apply(move.edited);
    },
    drop: (dragged, target) => {
      const place = destinationOf(latest.current, target);
      const added =
        'kind' in dragged
          ? addField(latest.current, place.container, { name: nameOf(dragged.kind), kind: dragged.kind })
          : { draft: latest.current, pointer: dragged.pointer };
      const move = placeField(added.draft, added.pointer, place);
      const edited = 'edited' in move ? move.edited : added;
      if (edited.draft === latest.current) return 'why' in move ? move.why : '';
      nameFocus.current = 'kind' in dragged;
      apply(edited);
      return text('dropped', { name: pathWords(edited.pointer) });
    },
    remove: () => {
      if (selected === '') return;
      apply(removeField(latest.current, selected));
      showToast('info', text('removed'));
    },
    duplicate: () => {
      const copy = duplicateField(latest.current, selected);
      if (copy) applyNew(copy);
    },
    copy: () => copyOfField(latest.current, selected),
    paste: (copied) => {
      const pasted = pasteField(latest.current, selected, copied);
      if (pasted) apply(pasted);
      else showToast('info', text('pasteNothing'));
    },
    edit: () => {
      nameFocus.current = true;
      select(selected);
    },
  };
}

function nameOf({ key }: FieldKind): string {
  return key.replace('-', '');
}

/** Returns the object, and the field in it, that a drop target means. */
function destinationOf(draft: Design['draft'], { pointer, edge }: DropTarget): Destination {
  const location = placeOf(pointer);
  if (edge === 'into' || !location)
    return { container: containerOf(objectAt(draft.schema, pointer), pointer) ?? '' };
  const container = ownerOf(draft.schema, location.container);
  if (edge === 'before') return { container, before: location.name };
  const names = shownNames(draft, container);
  return { container, before: names[names.indexOf(location.name) + 1] };
}

/** Returns where a new field is added: to the selected group or list, otherwise beside the selected field. */
function containerFor(schema: Design['draft']['schema'], selected: string): string {
  const own = containerOf(objectAt(schema, selected), selected);
  return own ?? ownerOf(schema, placeOf(selected)?.container ?? '');
}

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { addField, removeField } from '../../design/field-edits.js';
import type { FieldKind } from '../../design/field-kinds.js';
import { ownerOf } from '../../design/branches.js';
import { pathWords, placeOf } from '../../design/field-location.js';
import { shownNames } from '../../design/field-order.js';
import { type Destination, moveField, type MoveDirection, placeField } from '../../design/move-field.js';
import { ancestorsOf, containerOf, outlineOf, outlineRows } from '../../design/outline.js';
import { objectAt } from '../../design/json-edit.js';
import { Button } from '../../kit/button.js';
import { useToast } from '../../kit/toasts.js';
import { OutlineTree } from './outline-tree.js';
import { textOf } from '../../text/text.js';
import { KindPalette } from './kind-palette.js';
import type { Design } from './use-design.js';
import { type Dragged, type DropTarget, useFieldDrag } from './use-field-drag.js';

const text = textOf('designer');

/** Renders the fields as a tree, and actions on the selected field. */
export function OutlinePane({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, select, findings, canEdit } = design;
  const root = useMemo(() => outlineOf(draft), [draft]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(['']));
  const shown = useMemo(() => new Set([...open, ...ancestorsOf(root, selected)]), [open, root, selected]);
  const rows = useMemo(() => outlineRows(root, shown), [root, shown]);
  const marked = useMemo(
    () => new Map([...findings].reverse().map(({ field = '', kind }) => [field, kind])),
    [findings],
  );
  const edits = useEdits(design);
  const [announced, announce] = useState('');
  const [palette, setPalette] = useState({
    isOpen: Object.keys(objectAt(draft.schema, '/properties')).length === 0,
    count: 0,
  });
  const openPalette = () => setPalette(({ count }) => ({ isOpen: true, count: count + 1 }));
  const drag = useFieldDrag({
    onDrop: (dragged, target) => announce(edits.drop(dragged, target)),
    onCancel: () => announce(text('dragCancelled')),
  });
  useInsertKey(canEdit ? openPalette : undefined);
  return (
    <>
      {canEdit && (
        <Toolbar
          design={design}
          edits={edits}
          isPaletteOpen={palette.isOpen}
          onPalette={() => (palette.isOpen ? setPalette({ ...palette, isOpen: false }) : openPalette())}
        />
      )}
      {canEdit && palette.isOpen && (
        <KindPalette
          focusCount={palette.count}
          onAdd={edits.add}
          onDrag={drag.start}
          onClose={() => {
            setPalette({ ...palette, isOpen: false });
            document.querySelector<HTMLElement>('.gh-outline [tabindex="0"]')?.focus();
          }}
        />
      )}
      <OutlineTree
        label={`Fields of ${draft.name}`}
        rootTitle={draft.name === '' ? 'The form' : draft.name}
        rows={rows}
        marked={marked}
        selected={selected}
        onSelect={select}
        onOpen={(pointer, isOpen) => {
          const next = new Set(shown);
          if (isOpen) next.add(pointer);
          else next.delete(pointer);
          setOpen(next);
        }}
        dropTarget={drag.target}
        {...(canEdit && { onMove: edits.move, onRemove: edits.remove, onDrag: drag.start })}
      />
      <p className="pf-v6-screen-reader" role="status">
        {dropWords(drag.target, draft) ?? announced}
      </p>
      {canEdit && <p className="gh-quiet gh-pane-hint">{text('keys')}</p>}
    </>
  );
}

/** Opens the types of fields with the Insert key, anywhere in the designer except in the JSON editor. */
function useInsertKey(open: (() => void) | undefined): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isCode = event.target instanceof Element && event.target.closest('.cm-editor') !== null;
      if (event.key !== 'Insert' || isCode || event.ctrlKey || event.shiftKey || !latest.current) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const DROP_KEYS = { before: 'dropBefore', after: 'dropAfter', into: 'dropInto' } as const;

function dropWords(target: DropTarget | undefined, draft: Design['draft']): string | undefined {
  if (!target) return undefined;
  const name = target.pointer === '' ? draft.name : pathWords(target.pointer);
  return text(DROP_KEYS[target.edge], { name });
}

interface Edits {
  readonly add: (kind: FieldKind) => void;
  readonly move: (direction: MoveDirection) => void;
  readonly remove: () => void;
  /** Returns the result in words. */
  readonly drop: (dragged: Dragged, target: DropTarget) => string;
}

function useEdits({ draft, selected, change, select, nameFocus }: Design): Edits {
  const showToast = useToast();
  const latest = useRef(draft);
  latest.current = draft;
  return {
    add: (kind) => {
      const container = containerFor(latest.current.schema, selected);
      const { draft: next, pointer } = addField(latest.current, container, {
        name: nameOf(kind),
        kind,
      });
      change(next);
      nameFocus.current = true;
      select(pointer);
    },
    move: (direction) => {
      const move = moveField(latest.current, selected, direction);
      if ('why' in move) {
        showToast('info', move.why);
        return;
      }
      change(move.edited.draft);
      select(move.edited.pointer);
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
      change(edited.draft);
      nameFocus.current = 'kind' in dragged;
      select(edited.pointer);
      return text('dropped', { name: pathWords(edited.pointer) });
    },
    remove: () => {
      if (selected === '') return;
      const { draft: next, pointer } = removeField(latest.current, selected);
      change(next);
      select(pointer);
      showToast('info', 'Field removed. Undo restores it.');
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

const MOVES: readonly (readonly [way: MoveDirection, icon: string, label: string])[] = [
  ['up', '↑', 'Move up'],
  ['down', '↓', 'Move down'],
  ['into', '→', 'Move into the previous group'],
  ['out', '←', 'Move out of its group'],
];

function Toolbar({
  design: { draft, selected },
  edits,
  isPaletteOpen,
  onPalette,
}: {
  readonly design: Design;
  readonly edits: Edits;
  readonly isPaletteOpen: boolean;
  readonly onPalette: () => void;
}): ReactNode {
  const isField = placeOf(selected) !== undefined;
  return (
    <div className="gh-pane-head" role="toolbar" aria-label="Fields">
      <Button kind={isPaletteOpen ? 'secondary' : 'primary'} isSmall onPress={onPalette}>
        {text('addField')}
      </Button>
      {MOVES.map(([direction, icon, label]) => (
        <Button
          key={direction}
          kind="plain"
          isSmall
          label={label}
          isDisabled={!isField || 'why' in moveField(draft, selected, direction)}
          onPress={() => edits.move(direction)}
        >
          {icon}
        </Button>
      ))}
      <Button kind="plain" isSmall label="Remove field" isDisabled={selected === ''} onPress={edits.remove}>
        ✕
      </Button>
    </div>
  );
}

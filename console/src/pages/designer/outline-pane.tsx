import { type ReactNode, useMemo, useRef, useState } from 'react';
import { addField, removeField } from '../../design/field-edits.js';
import { FIELD_KINDS, type FieldKind } from '../../design/field-kinds.js';
import { placeOf } from '../../design/field-location.js';
import { moveField, type MoveDirection } from '../../design/move-field.js';
import { ancestorsOf, containerOf, outlineOf, outlineRows } from '../../design/outline.js';
import { objectAt } from '../../design/json-edit.js';
import { Button } from '../../kit/button.js';
import { Menu } from '../../kit/menu.js';
import { useToast } from '../../kit/toasts.js';
import { OutlineTree } from './outline-tree.js';
import type { Design } from './use-design.js';

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
  return (
    <>
      {canEdit && <Toolbar design={design} edits={edits} />}
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
        {...(canEdit && { onMove: edits.move, onRemove: edits.remove })}
      />
      {rows.length === 0 && (
        <p className="gh-quiet">No fields. Add a field above, or edit the schema in the view Source.</p>
      )}
      <p className="gh-quiet gh-pane-hint">
        Arrow keys select and expand fields. Alt with arrow keys moves a field up, down, into the previous
        group, or out of its group. Delete removes a field.
      </p>
    </>
  );
}

interface Edits {
  readonly add: (kind: FieldKind) => void;
  readonly move: (direction: MoveDirection) => void;
  readonly remove: () => void;
}

function useEdits({ draft, selected, change, select }: Design): Edits {
  const showToast = useToast();
  const latest = useRef(draft);
  latest.current = draft;
  return {
    add: (kind) => {
      const container = containerFor(latest.current.schema, selected);
      const { draft: next, pointer } = addField(latest.current, container, {
        name: kind.key.replace('-', ''),
        kind,
      });
      change(next);
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
    remove: () => {
      if (selected === '') return;
      const { draft: next, pointer } = removeField(latest.current, selected);
      change(next);
      select(pointer);
      showToast('info', 'Field removed. Undo restores it.');
    },
  };
}

/** Returns where a new field is added: to the selected group or list, otherwise beside the selected field. */
function containerFor(schema: Design['draft']['schema'], selected: string): string {
  const own = containerOf(objectAt(schema, selected), selected);
  return own ?? placeOf(selected)?.container ?? '';
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
}: {
  readonly design: Design;
  readonly edits: Edits;
}): ReactNode {
  const isField = placeOf(selected) !== undefined;
  const kinds = FIELD_KINDS.map((kind) => ({
    key: kind.key,
    title: kind.label,
    onPress: () => edits.add(kind),
  }));
  return (
    <div className="gh-pane-head" role="toolbar" aria-label="Fields">
      <Menu label="Add field" title="Add field" kind="primary" side="start" actions={kinds} />
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

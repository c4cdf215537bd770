import { type ClipboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { pathWords, placeOf } from '../../design/field-location.js';
import { objectAt } from '../../design/json-edit.js';
import { type MoveDirection, moveField } from '../../design/move-field.js';
import { ancestorsOf, outlineOf, outlineRows } from '../../design/outline.js';
import { Button } from '../../kit/button.js';
import { Menu } from '../../kit/menu.js';
import { useToast } from '../../kit/toasts.js';
import { KindPalette } from './kind-palette.js';
import { OutlineTree } from './outline-tree.js';
import type { Design } from './use-design.js';
import { type FieldActions, useFieldActions } from './use-field-actions.js';
import { type DropTarget, useFieldDrag } from './use-field-drag.js';

/** Moves the focus to the selected row of the outline. */
export function focusOutline(): void {
  document.querySelector<HTMLElement>('.gh-outline [tabindex="0"]')?.focus();
}

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
  const actions = useFieldActions(design);
  const [announced, announce] = useState('');
  const [list, setList] = useState({
    isOpen: Object.keys(objectAt(draft.schema, '/properties')).length === 0,
    count: 0,
  });
  const openList = () => setList(({ count }) => ({ isOpen: true, count: count + 1 }));
  const closeList = () => setList(({ count }) => ({ isOpen: false, count }));
  const drag = useFieldDrag({
    onDrop: (dragged, target) => announce(actions.drop(dragged, target)),
    onCancel: () => announce(text('dragCancelled')),
  });
  useInsertKey(canEdit ? openList : undefined);
  return (
    <div {...(canEdit && clipboardEvents(actions))}>
      {canEdit && (
        <OutlineToolbar
          design={design}
          actions={actions}
          isListOpen={list.isOpen}
          onList={list.isOpen ? closeList : openList}
        />
      )}
      {canEdit && list.isOpen && (
        <KindPalette
          focusCount={list.count}
          onAdd={actions.add}
          onDrag={drag.start}
          onClose={() => {
            closeList();
            focusOutline();
          }}
        />
      )}
      <OutlineTree
        label={text('fieldsOf', { name: draft.name })}
        rootTitle={draft.name === '' ? text('theForm') : draft.name}
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
        onEdit={actions.edit}
        dropTarget={drag.target}
        {...(canEdit && {
          onMove: actions.move,
          onRemove: actions.remove,
          onDuplicate: actions.duplicate,
          onDrag: drag.start,
        })}
      />
      <p className="gh-hidden" role="status">
        {dropWords(drag.target, draft) ?? announced}
      </p>
      {canEdit && <p className="gh-quiet gh-pane-hint">{text('keys')}</p>}
    </div>
  );
}

/** Copies, cuts and pastes the selected field with the keys of the clipboard, outside of text inputs. */
function clipboardEvents(actions: FieldActions) {
  const isInput = ({ target }: ClipboardEvent) =>
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  const copy = (event: ClipboardEvent): boolean => {
    const copied = isInput(event) ? undefined : actions.copy();
    if (copied === undefined) return false;
    event.preventDefault();
    event.clipboardData.setData('text/plain', copied);
    return true;
  };
  return {
    onCopy: copy,
    onCut: (event: ClipboardEvent) => {
      if (copy(event)) actions.remove();
    },
    onPaste: (event: ClipboardEvent) => {
      if (isInput(event)) return;
      event.preventDefault();
      actions.paste(event.clipboardData.getData('text/plain'));
    },
  };
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

const MOVES = [
  ['up', '↑', 'moveUp'],
  ['down', '↓', 'moveDown'],
  ['into', '→', 'moveInto'],
  ['out', '←', 'moveOut'],
] as const satisfies readonly (readonly [MoveDirection, string, string])[];

interface OutlineToolbarProps {
  readonly design: Design;
  readonly actions: FieldActions;
  readonly isListOpen: boolean;
  /** Opens or closes the list of types. */
  readonly onList: () => void;
}

/** Renders the tools of the outline in one row: add, move, and a menu with the other actions on a field. */
function OutlineToolbar(props: OutlineToolbarProps): ReactNode {
  const { design, actions, isListOpen, onList } = props;
  const { draft, selected } = design;
  const isField = placeOf(selected) !== undefined;
  return (
    <div className="gh-pane-head gh-pane-tools" role="toolbar" aria-label={text('fields')}>
      <Button kind={isListOpen ? 'secondary' : 'primary'} isSmall onPress={onList}>
        {text('addField')}
      </Button>
      {MOVES.map(([direction, icon, label]) => (
        <Button
          key={direction}
          kind="plain"
          isSmall
          label={text(label)}
          isDisabled={!isField || 'why' in moveField(draft, selected, direction)}
          onPress={() => actions.move(direction)}
        >
          {icon}
        </Button>
      ))}
      <FieldMenu actions={actions} isField={isField} canRemove={selected !== ''} />
    </div>
  );
}

/** The field that was copied last, for browsers that do not let a page read the clipboard. */
let lastCopy = '';

interface FieldMenuProps {
  readonly actions: FieldActions;
  readonly isField: boolean;
  readonly canRemove: boolean;
}

function FieldMenu({ actions, isField, canRemove }: FieldMenuProps): ReactNode {
  const showToast = useToast();
  const copy = () => {
    lastCopy = actions.copy() ?? '';
    void navigator.clipboard.writeText(lastCopy).catch(() => undefined);
    showToast('success', text('copied'));
  };
  const paste = async () => {
    const read = await navigator.clipboard.readText().catch(() => '');
    actions.paste(read.includes('"gatehouse.field"') ? read : lastCopy);
  };
  return (
    <Menu
      label={text('fieldMenu')}
      actions={[
        ...(isField
          ? [
              { key: 'duplicate', title: text('duplicateField'), onPress: actions.duplicate },
              { key: 'copy', title: text('copyField'), onPress: copy },
            ]
          : []),
        { key: 'paste', title: text('pasteField'), onPress: () => void paste() },
        ...(canRemove
          ? [
              {
                key: 'remove',
                title: text('removeField'),
                onPress: actions.remove,
                isDangerous: true,
                isApart: true,
              },
            ]
          : []),
      ]}
    />
  );
}

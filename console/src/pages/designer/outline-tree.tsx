import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Condition } from '../../design/condition.js';
import { text } from '../../design/designer-text.js';
import type { MoveDirection } from '../../design/move-field.js';
import type { OutlineNode, OutlineRow } from '../../design/outline.js';
import type { DropTarget, StartDrag } from './use-field-drag.js';

interface OutlineTreeProps {
  readonly label: string;
  /** Name of the root, which represents the form itself. */
  readonly rootTitle: string;
  readonly rows: readonly OutlineRow[];
  /** Severity of findings, by the pointer of the field. */
  readonly marked: ReadonlyMap<string, 'error' | 'warning'>;
  readonly selected: string;
  readonly onSelect: (pointer: string) => void;
  readonly onOpen: (pointer: string, isOpen: boolean) => void;
  readonly onMove?: (direction: MoveDirection) => void;
  readonly onRemove?: () => void;
  readonly onDuplicate?: () => void;
  /** Moves the focus to the properties of the selected field. */
  readonly onEdit: () => void;
  readonly onDrag?: StartDrag;
  /** Where a dragged field would be dropped. */
  readonly dropTarget: DropTarget | undefined;
}

const MOVE_KEYS: Readonly<Record<string, MoveDirection>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'into',
  ArrowLeft: 'out',
};

/**
 * Renders the fields of a form, in the tree view pattern of the WAI-ARIA APG: one tab stop, arrow keys
 * inside.
 */
export function OutlineTree(props: OutlineTreeProps): ReactNode {
  const { label, rootTitle, rows, marked, selected, onSelect } = props;
  const tree = useRef<HTMLUListElement>(null);
  const isMovingFocus = useRef(false);
  useEffect(() => {
    if (!isMovingFocus.current) return;
    isMovingFocus.current = false;
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (movesFocusAway(event, props)) {
      event.preventDefault();
      return;
    }
    if (!runCommand(event, props)) return;
    event.preventDefault();
    isMovingFocus.current = true;
  };
  return (
    <ul ref={tree} role="tree" aria-label={label} className="gh-outline" onKeyDown={onKeyDown}>
      <li
        role="treeitem"
        aria-level={1}
        aria-selected={selected === ''}
        aria-expanded={rows.length > 0 ? true : undefined}
        tabIndex={selected === '' ? 0 : -1}
        className="gh-outline-row"
        data-field=""
        data-drop={props.dropTarget?.pointer === '' ? 'into' : undefined}
        onClick={() => onSelect('')}
      >
        <span className="gh-outline-title">{rootTitle}</span>
        <span className="gh-quiet">{text('form')}</span>
      </li>
      {rows.map((row) => (
        <Row key={row.node.pointer} row={row} mark={marked.get(row.node.pointer)} tree={props} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly row: OutlineRow;
  readonly mark: 'error' | 'warning' | undefined;
  readonly tree: OutlineTreeProps;
}

function Row({ row, mark, tree: { selected, onSelect, onOpen, onDrag, dropTarget } }: RowProps): ReactNode {
  const { node, level, position, setSize, isOpen } = row;
  const isSelected = selected === node.pointer;
  return (
    <li
      role="treeitem"
      aria-level={level + 1}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      tabIndex={isSelected ? 0 : -1}
      className="gh-outline-row"
      style={{ paddingInlineStart: `${(level - 1) * 1.1 + 0.35}rem` }}
      data-field={node.pointer}
      data-group={node.container === undefined ? undefined : ''}
      data-drop={dropTarget?.pointer === node.pointer ? dropTarget.edge : undefined}
      onPointerDown={(event) => event.pointerType === 'mouse' && onDrag?.(event, node)}
      onClick={() => onSelect(node.pointer)}
    >
      {onDrag && (
        <span
          aria-hidden="true"
          className="gh-outline-handle"
          onPointerDown={(event) => event.pointerType !== 'mouse' && onDrag(event, node)}
        >
          ⠿
        </span>
      )}
      <span
        aria-hidden="true"
        className="gh-outline-twist"
        onClick={(event) => {
          event.stopPropagation();
          if (isOpen !== undefined) onOpen(node.pointer, !isOpen);
        }}
      >
        {isOpen === undefined ? '' : isOpen ? '▾' : '▸'}
      </span>
      <RowText node={node} mark={mark} />
    </li>
  );
}

function RowText({ node, mark }: { readonly node: OutlineNode; readonly mark: RowProps['mark'] }): ReactNode {
  const { title, name, type, isRequired, condition } = node;
  return (
    <>
      <span className="gh-outline-title">
        {title}
        {isRequired && <span title={text('requiredMark')}> *</span>}
        {title !== name && <span className="gh-quiet gh-code"> {name}</span>}
      </span>
      {condition && <ConditionMark condition={condition} />}
      {mark && (
        <span className="gh-outline-mark" data-kind={mark}>
          {mark === 'error' ? '⊘' : '⚠'} {text(mark)}
        </span>
      )}
      <span className="gh-quiet">{type}</span>
    </>
  );
}

/** Renders a mark for a field with a condition, which says when the field is shown. */
function ConditionMark({ condition }: { readonly condition: Condition }): ReactNode {
  const { operator: test, field, value = '' } = condition;
  const compared = typeof value === 'string' ? value : JSON.stringify(value);
  const words = text('conditional', { test, field, value: compared });
  return (
    <span className="gh-quiet" role="img" title={words} aria-label={words}>
      ◇
    </span>
  );
}

/** Runs the commands of keys that move the focus to the properties; true if the key has such a meaning. */
function movesFocusAway({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, tree: OutlineTreeProps): boolean {
  if (altKey) return false;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'd' && tree.onDuplicate) {
    tree.onDuplicate();
    return true;
  }
  if (key !== 'Enter' || ctrlKey || metaKey) return false;
  tree.onEdit();
  return true;
}

/** Runs the command of a key; true if the key has a meaning. */
function runCommand(event: KeyboardEvent, tree: OutlineTreeProps): boolean {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey) return false;
  const direction = MOVE_KEYS[key];
  if (altKey) {
    if (direction === undefined || !tree.onMove) return false;
    tree.onMove(direction);
    return true;
  }
  if (key === 'Delete' && tree.onRemove) {
    tree.onRemove();
    return true;
  }
  const target = targetOfKey(key, tree);
  if (target !== undefined) tree.onSelect(target);
  return target !== undefined;
}

/** Returns the row that a key selects; opens or closes the current row if necessary. */
function targetOfKey(key: string, tree: OutlineTreeProps): string | undefined {
  const pointers = ['', ...tree.rows.map(({ node }) => node.pointer)];
  const at = pointers.indexOf(tree.selected);
  switch (key) {
    case 'ArrowDown':
      return pointers[Math.min(at + 1, pointers.length - 1)];
    case 'ArrowUp':
      return pointers[Math.max(at - 1, 0)];
    case 'Home':
      return pointers[0];
    case 'End':
      return pointers.at(-1);
    case 'ArrowRight':
      return openOrChild(tree, pointers[at + 1]);
    case 'ArrowLeft':
      return closeOrParent(tree);
    default:
      return undefined;
  }
}

function rowOf({ rows, selected }: OutlineTreeProps): OutlineRow | undefined {
  return rows.find(({ node }) => node.pointer === selected);
}

function openOrChild(tree: OutlineTreeProps, next: string | undefined): string | undefined {
  const isOpen = rowOf(tree)?.isOpen;
  if (isOpen === false) tree.onOpen(tree.selected, true);
  return isOpen === true || tree.selected === '' ? next : tree.selected;
}

function closeOrParent(tree: OutlineTreeProps): string {
  const row = rowOf(tree);
  if (row?.isOpen === true) tree.onOpen(tree.selected, false);
  return row?.isOpen === true ? tree.selected : (row?.parent ?? '');
}

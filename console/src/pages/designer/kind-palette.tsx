import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { FIELD_KINDS, type FieldKind, kindLabel } from '../../design/field-kinds.js';
import { isComposing } from '../../text/keys.js';
import type { StartDrag } from './use-field-drag.js';

interface KindPaletteProps {
  /** A new number above 0 moves the focus into the filter. */
  readonly focusCount: number;
  readonly onAdd: (kind: FieldKind) => void;
  readonly onDrag: StartDrag;
  readonly onClose: () => void;
}

/** Renders the types of fields: filtered while typing, added with Enter or a click, or dragged to a position. */
export function KindPalette({ focusCount, onAdd, onDrag, onClose }: KindPaletteProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const [marked, setMarked] = useState(0);
  useEffect(() => {
    if (focusCount > 0) input.current?.focus();
  }, [focusCount]);
  const kinds = FIELD_KINDS.filter((kind) =>
    kindLabel(kind).toLowerCase().includes(filter.trim().toLowerCase()),
  );
  const index = Math.min(marked, kinds.length - 1);
  const add = (kind: FieldKind) => {
    setFilter('');
    setMarked(0);
    onAdd(kind);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const kind = kinds[index];
    if (event.key === 'Enter' && kind) add(kind);
    else if (event.key === 'ArrowDown') setMarked(Math.min(index + 1, kinds.length - 1));
    else if (event.key === 'ArrowUp') setMarked(Math.max(index - 1, 0));
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div className="gh-kinds">
      <input
        ref={input}
        role="combobox"
        className="gh-input"
        aria-label={text('kind')}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-describedby={`${id}-help`}
        aria-activedescendant={kinds[index] && `${id}-${kinds[index].key}`}
        placeholder={text('kind')}
        value={filter}
        onChange={({ target }) => {
          setFilter(target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={text('kind')} className="gh-kinds-list">
        {kinds.map((kind, at) => (
          <li
            key={kind.key}
            id={`${id}-${kind.key}`}
            role="option"
            aria-selected={at === index}
            className="gh-kind"
            onPointerDown={(event) => onDrag(event, { kind })}
            onClick={() => add(kind)}
          >
            {kindLabel(kind)}
          </li>
        ))}
      </ul>
      <p id={`${id}-help`} className="gh-quiet gh-kinds-help">
        {kinds.length === 0 ? text('noKind') : text('kindHelp')}
      </p>
    </div>
  );
}

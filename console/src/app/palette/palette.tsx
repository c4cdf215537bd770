import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import '../../style/palette.css';
import { Modal } from '../../kit/dialog.js';
import { isComposing } from '../../text/keys.js';
import type { OverlayProps } from '../guards.js';
import { text } from '../shell-text.js';
import type { Entry } from './rank.js';
import { useEntries } from './use-entries.js';

/**
 * Finds a page, an adapter, a form or an action by its name, and opens or runs it: a search field and the entries that
 * match, as a combobox with a list (ARIA Authoring Practices). The arrow keys select an entry, Enter runs it.
 */
export function Palette({ onClose }: OverlayProps): ReactNode {
  const id = useId();
  const [query, setQuery] = useState('');
  const { entries, isBusy, isFirstKnown } = useEntries(query);
  const [chosen, setChosen] = useState(0);
  // Enter after fast typing opens what the server finds, and not the search of the audit trail.
  const [isAwaited, setIsAwaited] = useState(false);
  const at = Math.min(chosen, entries.length - 1);
  const current = entries[at];
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const run = (entry: Entry) => {
    onClose();
    entry.run();
  };
  useEffect(() => {
    if (isAwaited && isFirstKnown && current) run(current);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && entries.length > 0) setChosen(stepTo(at, step, entries.length));
    else if (event.key !== 'Enter' || isComposing(event)) return;
    else if (current && event.currentTarget.value === query && (chosen > 0 || isFirstKnown)) run(current);
    else setIsAwaited(true);
    event.preventDefault();
  };
  return (
    <Modal title={text('palette.title')} className="gh-dialog gh-palette" onClose={onClose} focus={['input']}>
      <div className="gh-dialog-body">
        <input
          id={id}
          type="search"
          className="gh-input"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-label={text('palette.field')}
          {...(current && { 'aria-activedescendant': `${id}-${at}` })}
          placeholder={text('palette.field')}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => {
            setChosen(0);
            setIsAwaited(false);
            setQuery(target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={`${id}-list`} role="listbox" aria-label={text('palette.title')} aria-busy={isBusy}>
          {entries.map((entry, index) => (
            <Option
              key={entry.key}
              id={`${id}-${index}`}
              entry={entry}
              isFirstOfGroup={entries[index - 1]?.group !== entry.group}
              isChosen={index === at}
              onPoint={() => setChosen(index)}
              onRun={() => run(entry)}
            />
          ))}
        </ul>
        <p className="gh-quiet" role="status">
          {entries.length === 0 && !isBusy
            ? text('palette.none', { query })
            : text('palette.count', { count: entries.length })}
        </p>
      </div>
    </Modal>
  );
}

function stepTo(at: number, step: number, count: number): number {
  if (Math.abs(step) > 1) return Math.min(Math.max(at + step, 0), count - 1);
  return (at + step + count) % count;
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isFirstOfGroup: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Option({ id, entry, isFirstOfGroup, isChosen, onPoint, onRun }: OptionProps): ReactNode {
  const { title, detail, group } = entry;
  return (
    <>
      {isFirstOfGroup && (
        <li role="presentation" className="gh-palette-group">
          {group}
        </li>
      )}
      <li id={id} role="option" aria-selected={isChosen} onMouseMove={onPoint} onClick={onRun}>
        <span>{title}</span>
        {detail !== undefined && <kbd>{detail}</kbd>}
      </li>
    </>
  );
}

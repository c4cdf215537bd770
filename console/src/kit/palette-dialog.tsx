import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { isComposing } from '../text/is-composing.js';
import '../style/palette.css';
import { Modal } from './modal.js';

/** An option of the palette. */
interface PaletteOption {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly detail?: string;
  readonly run: () => void;
}

interface PaletteDialogProps {
  readonly title: string;
  /** Accessible name and placeholder of the field. */
  readonly fieldLabel: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** In groups: entries of one group follow each other. */
  readonly entries: readonly PaletteOption[];
  /** Number of results, or what to do without any. */
  readonly summary: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

/**
 * Renders a dialog with a search field and the options that match, as a combobox with a list (ARIA Authoring
 * Practices). The arrow keys select an option, Enter runs it.
 */
export function PaletteDialog(props: PaletteDialogProps): ReactNode {
  const { title, fieldLabel, query, onQuery, entries, summary, isBusy, onClose } = props;
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, entries.length - 1);
  const current = entries[at];
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const run = (entry: PaletteOption) => {
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && entries.length > 0) setChosen(stepTo(at, step, entries.length));
    else if (event.key === 'Enter' && current && !isComposing(event)) run(current);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title={title} className="gh-dialog gh-palette" onClose={onClose} focus={['input']}>
      <div className="gh-dialog-body">
        <input
          id={id}
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-label={fieldLabel}
          {...(current && { 'aria-activedescendant': `${id}-${at}` })}
          placeholder={fieldLabel}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => {
            setChosen(0);
            onQuery(target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={`${id}-list`} role="listbox" aria-label={title} aria-busy={isBusy}>
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
          {summary}
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
  readonly entry: PaletteOption;
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

import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { bindingPointerOf } from '../../design/field-location.js';
import { type FixedChoice, fixedChoicesOf, setFixedChoices } from '../../design/fixed-choices.js';
import { objectAt } from '../../design/json-edit.js';
import {
  choicesOf,
  EMPTY_BINDING,
  isComplete,
  type QueryBinding,
  setChoices,
} from '../../design/query-bindings.js';
import { Button } from '../../kit/button.js';
import { SelectField } from '../../kit/fields.js';
import { isComposing } from '../../text/keys.js';
import { QueryFields } from './query-fields.js';
import type { Design } from './use-design.js';

const SCALARS: readonly unknown[] = ['string', 'integer', 'number'];

/** Renders where the choices of the selected field come from: a fixed list, or a query through an adapter. */
export function ChoicesFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  // A query without an adapter or a path is not part of the form yet.
  const [incomplete, setIncomplete] = useState<QueryBinding>();
  const { type } = objectAt(draft.schema, selected);
  if (!SCALARS.includes(type) || bindingPointerOf(selected) === undefined || selected === '') return null;
  const stored = choicesOf(draft, selected);
  const binding = incomplete ?? (typeof stored === 'string' ? undefined : stored);
  const edit = (next: QueryBinding) => {
    setIncomplete(isComplete(next) ? undefined : next);
    if (isComplete(next)) change(setChoices(draft, selected, next), `${selected} choices`);
  };
  const choose = (from: string) => {
    setIncomplete(from === 'query' ? EMPTY_BINDING : undefined);
    if (from === 'fixed' && stored !== 'fixed') change(setChoices(draft, selected, undefined));
  };
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('choices')}>
      <h3>{text('choices')}</h3>
      <SourceField
        source={binding ? 'query' : stored === 'other' ? 'other' : 'fixed'}
        isOther={stored === 'other'}
        onChange={choose}
      />
      {binding && <QueryFields design={design} binding={binding} onChange={edit} />}
      {!binding && stored === 'fixed' && <FixedChoicesFields design={design} />}
    </div>
  );
}

interface SourceFieldProps {
  readonly source: 'fixed' | 'query' | 'other';
  /** True if the field has a binding that the designer does not edit. */
  readonly isOther: boolean;
  readonly onChange: (source: string) => void;
}

function SourceField({ source, isOther, onChange }: SourceFieldProps): ReactNode {
  return (
    <SelectField
      label={text('choicesFrom')}
      value={source}
      options={[
        { value: 'fixed', label: text('choicesFixed') },
        { value: 'query', label: text('choicesQuery') },
        ...(isOther ? [{ value: 'other', label: text('choicesOther') }] : []),
      ]}
      onChange={onChange}
      {...(source === 'other' && { help: text('choicesOtherHelp') })}
    />
  );
}

const EMPTY_ROW: FixedChoice = { value: '', label: '' };

/** Renders the choices that the schema of a field lists: a row for each value with its label. */
function FixedChoicesFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const stored = fixedChoicesOf(draft, selected);
  // A row without a value, or with a value that is listed already, is not part of the form yet.
  const [edited, setEdited] = useState<readonly FixedChoice[]>();
  const focusedRow = useRef<number>(undefined);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusedRow.current === undefined) return;
    const row = focusedRow.current;
    focusedRow.current = undefined;
    focusRow(list.current, row);
  });
  if (!stored) return <p className="gh-quiet">{text('fixedChoicesOther')}</p>;
  const rows = edited && isSameList(completeRows(edited), stored) ? edited : stored;
  const edit = (next: readonly FixedChoice[]) => {
    setEdited(next);
    const changed = setFixedChoices(draft, selected, next);
    if (JSON.stringify(changed) !== JSON.stringify(draft)) change(changed, `${selected} choices`);
  };
  const insert = (index: number, added: readonly FixedChoice[]) => {
    focusedRow.current = index + added.length - 1;
    edit(rows.toSpliced(index, 0, ...added));
  };
  return (
    <div ref={list} className="gh-choices">
      {rows.length > 0 && (
        <>
          <span aria-hidden="true">{text('choiceValue')}</span>
          <span aria-hidden="true">{text('choiceLabel')}</span>
          <span />
        </>
      )}
      {rows.map((choice, at) => (
        <ChoiceRow
          key={at}
          choice={choice}
          index={at}
          isRepeated={rows.findIndex(({ value }) => value.trim() === choice.value.trim()) < at}
          onChange={(next) => edit(rows.with(at, next))}
          onNext={() => {
            if (at + 1 < rows.length) focusRow(list.current, at + 1);
            else insert(rows.length, [EMPTY_ROW]);
          }}
          onInsert={(added) => insert(at + 1, added)}
          onReplace={(added) => {
            focusedRow.current = at + added.length - 1;
            edit(rows.toSpliced(at, 1, ...added));
          }}
          onRemove={() => {
            focusedRow.current = Math.max(at - 1, 0);
            edit(rows.toSpliced(at, 1));
          }}
        />
      ))}
      <div className="gh-choices-add">
        <Button kind="link" isSmall onPress={() => insert(rows.length, [EMPTY_ROW])}>
          {text('addChoice')}
        </Button>
      </div>
    </div>
  );
}

function focusRow(list: HTMLElement | null, row: number): void {
  const input = list?.querySelector<HTMLInputElement>(`[data-row="${row}"]`);
  input?.focus();
  input?.select();
}

interface ChoiceRowProps {
  readonly choice: FixedChoice;
  readonly index: number;
  readonly isRepeated: boolean;
  readonly onChange: (choice: FixedChoice) => void;
  /** Moves the focus to the next row, and adds one behind the last. */
  readonly onNext: () => void;
  readonly onInsert: (added: readonly FixedChoice[]) => void;
  readonly onReplace: (added: readonly FixedChoice[]) => void;
  readonly onRemove: () => void;
}

/** Renders one choice. Enter goes to the next row; pasted lines become rows, with a label behind a tab. */
function ChoiceRow(props: ChoiceRowProps): ReactNode {
  const { choice, index, isRepeated, onChange, onNext, onInsert, onReplace, onRemove } = props;
  const number = index + 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    onNext();
  };
  const onPaste = (event: ClipboardEvent) => {
    const added = pastedRows(event.clipboardData.getData('text/plain'));
    if (added.length < 2) return;
    event.preventDefault();
    if (choice.value === '') onReplace(added);
    else onInsert(added);
  };
  return (
    <>
      <input
        className="gh-input"
        data-row={index}
        aria-label={text('choiceValueOf', { number })}
        aria-invalid={isRepeated}
        value={choice.value}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onChange={({ target }) => onChange({ ...choice, value: target.value })}
      />
      <input
        className="gh-input"
        aria-label={text('choiceLabelOf', { number })}
        value={choice.label}
        placeholder={choice.value}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange({ ...choice, label: target.value })}
      />
      <Button kind="plain" isSmall label={text('removeChoice', { number })} onPress={onRemove}>
        ✕
      </Button>
      {isRepeated && choice.value !== '' && (
        <p className="gh-choices-fault" role="alert">
          {text('choiceRepeated', { value: choice.value })}
        </p>
      )}
    </>
  );
}

function pastedRows(pasted: string): readonly FixedChoice[] {
  return pasted
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [value = '', label = ''] = line.split('\t');
      return { value: value.trim(), label: label.trim() };
    });
}

/** Returns the rows that are part of the form. */
function completeRows(rows: readonly FixedChoice[]): readonly FixedChoice[] {
  return rows
    .map(({ value, label }) => ({ value: value.trim(), label: label.trim() === '' ? '' : label }))
    .filter(({ value }, at, all) => value !== '' && all.findIndex((other) => other.value === value) === at);
}

function isSameList(one: readonly FixedChoice[], other: readonly FixedChoice[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

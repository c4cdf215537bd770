import type { ReactNode } from 'react';
import './form.css';
import {
  type Change,
  changesAgainst,
  type FormState,
  isList,
  isSecretEditor,
  type Json,
  labelOf,
  rowAt,
  withoutSecrets,
  writeJson,
} from '../model/index.js';
import { useChangeNote } from './change-notes.js';
import { Button } from './controls.js';
import { optionsOf } from './editors/option-editors.js';
import { formText } from './form-text.js';

/** Maximum number of changes in a list; the export contains all changes. */
const MAX_SHOWN_CHANGES = 500;

/** Maximum length of a shown value; the export contains the full value. */
const MAX_VALUE_LENGTH = 2000;

interface ChangeListProps {
  readonly state: FormState;
  /** The document to compare with, for example what a workflow proposed. */
  readonly base: Json | undefined;
}

/**
 * Shows what the current data changes in a base document: the label, the path, the previous and the new value
 * of each change. Works outside of a `FormView`.
 */
export function ChangeList({ state, base }: ChangeListProps): ReactNode {
  return (
    <div className="gf gf-change-list">
      <FirstChanges state={state} base={base} changes={changesAgainst(state, base)} />
    </div>
  );
}

/** A table of the first changes, and the number of the others. */
export function FirstChanges({ changes, ...table }: ChangeTableProps): ReactNode {
  const rest = changes.length - MAX_SHOWN_CHANGES;
  if (changes.length === 0) return <p>{formText('nothingChanged')}</p>;
  return (
    <>
      <ChangeTable {...table} changes={changes.slice(0, MAX_SHOWN_CHANGES)} />
      {rest > 0 && <p className="gf-quiet">{formText('moreChanges', { count: rest })}</p>}
    </>
  );
}

interface ChangeTableProps {
  readonly state: FormState;
  /** The document that the changes start from. */
  readonly base: Json | undefined;
  readonly changes: readonly Change[];
  /** Adds a button to each change that reverts it. */
  readonly revert?: ((change: Change) => void) | undefined;
}

/** A table of changes: label and path, previous value, new value. */
export function ChangeTable({ state, base, changes, revert }: ChangeTableProps): ReactNode {
  const before = { ...state, data: base };
  return (
    <table className="gf-changes">
      <thead>
        <tr>
          <th scope="col">{formText('field')}</th>
          <th scope="col">{formText('before')}</th>
          <th scope="col">{formText('after')}</th>
          {revert && <th scope="col">{formText('actions')}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.kind} ${change.pointer} ${change.loadedPointer ?? ''}`}>
            <th scope="row">
              <ChangePath change={change} />
            </th>
            <td className="gf-before">
              <ValueOf
                state={before}
                pointer={change.loadedPointer ?? change.pointer}
                value={change.before}
              />
            </td>
            <td className="gf-after">
              <ValueOf state={state} pointer={change.pointer} value={change.after} />
            </td>
            {revert && (
              <td>
                <Button
                  aria-label={`${formText('revert')}: ${change.path.join(' / ')}`}
                  onClick={() => revert(change)}
                >
                  {formText('revert')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CHANGE_KINDS = {
  added: 'changeAdded',
  removed: 'changeRemoved',
  changed: 'changeChanged',
  moved: 'changeMoved',
} as const;

/** The label of the changed field, the labels of its containers, its path and the kind of the change. */
function ChangePath({ change }: { readonly change: Change }): ReactNode {
  const { path, pointer, kind } = change;
  const containers = path.slice(0, -1).join(' / ');
  const note = useChangeNote({ changed: kind !== 'removed', pointer });
  return (
    <>
      {containers !== '' && (
        <span className="gf-quiet" dir="auto">
          {containers} /{' '}
        </span>
      )}
      <span className="gf-change-label" dir="auto">
        {path.at(-1) ?? formText('form')}
      </span>{' '}
      <span className={`gf-badge gf-badge-${kind}`}>{formText(CHANGE_KINDS[kind])}</span>
      <span className="gf-code gf-path">{pointer === '' ? '/' : pointer}</span>
      {note !== undefined && (
        <span className="gf-quiet gf-path" dir="auto">
          {note}
        </span>
      )}
    </>
  );
}

interface ValueFacts {
  readonly state: FormState;
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** A value as people read it: the label of its option, its text, or JSON. Secrets are not shown. */
function ValueOf({ state, pointer, value }: ValueFacts): ReactNode {
  if (value === undefined) return <span className="gf-quiet">{formText('notSet')}</span>;
  const row = rowAt(state, pointer);
  if (row && isSecretEditor(row.editor)) return formText('hidden');
  const text = textOfValue(state, pointer, value);
  const option = row && optionsOf(row).find((each) => labelOf(each.value) === text);
  return (
    <>
      {option !== undefined && option.label !== text && <span dir="auto">{option.label} </span>}
      <code dir="auto">{text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)} …` : text}</code>
    </>
  );
}

/** Returns a scalar, scalars of a list in one line, and any other structure as JSON without secrets. */
function textOfValue(state: FormState, pointer: string, whole: Json): string {
  if (typeof whole !== 'object' || whole === null) return labelOf(whole);
  const value = withoutSecrets(state, pointer, formText('hidden')) ?? null;
  const isScalarList = isList(value) && value.every((item) => typeof item !== 'object' || item === null);
  return isScalarList ? value.map(labelOf).join(', ') : writeJson(value, 2);
}

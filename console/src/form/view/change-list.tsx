import './form.css';
import type { ReactNode } from 'react';
import {
  type Change,
  changesAgainst,
  type FormState,
  isList,
  type Json,
  labelOf,
  type Row,
  rowAt,
  writeJson,
} from '../model/index.js';
import { optionsOf } from './editors/use-chosen.js';
import { ENGLISH, type Labels } from './labels.js';

/** Maximum number of changes in a list; the export contains all changes. */
export const MAX_SHOWN_CHANGES = 500;

/** Maximum length of a shown value; the export contains the full value. */
const MAX_VALUE_LENGTH = 2000;

export interface ChangeListProps {
  /** The form with the current data. */
  readonly state: FormState;
  /** The document to compare with, for example what a workflow proposed. */
  readonly base: Json | undefined;
  readonly labels?: Partial<Labels>;
}

/**
 * Shows what the current data changes in a base document: the label, the path, the previous and the new value
 * of each change. Works outside of a `FormView`.
 */
export function ChangeList({ state, base, labels: given }: ChangeListProps): ReactNode {
  const labels = { ...ENGLISH, ...given };
  const changes = changesAgainst(state, base);
  const rest = changes.length - MAX_SHOWN_CHANGES;
  return (
    <div className="gf gf-change-list">
      {changes.length === 0 ? (
        <p>{labels.nothingChanged}</p>
      ) : (
        <ChangeTable
          state={state}
          base={base}
          changes={changes.slice(0, MAX_SHOWN_CHANGES)}
          labels={labels}
        />
      )}
      {rest > 0 && <p className="gf-quiet">{labels.moreChanges(rest)}</p>}
    </div>
  );
}

export interface ChangeTableProps {
  readonly state: FormState;
  /** The document that the changes start from. */
  readonly base: Json | undefined;
  readonly changes: readonly Change[];
  readonly labels: Labels;
  /** Adds a button to each change that reverts it. */
  readonly revert?: ((change: Change) => void) | undefined;
}

/** A table of changes: label and path, previous value, new value. */
export function ChangeTable({ state, base, changes, labels, revert }: ChangeTableProps): ReactNode {
  const before = { ...state, data: base };
  return (
    <table className="gf-changes">
      <thead>
        <tr>
          <th scope="col">{labels.field}</th>
          <th scope="col">{labels.before}</th>
          <th scope="col">{labels.after}</th>
          {revert && <th scope="col">{labels.actions}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.kind} ${change.pointer} ${change.loadedPointer ?? ''}`}>
            <th scope="row">
              <ChangePath change={change} labels={labels} />
            </th>
            <td className="gf-before">
              <ValueOf
                row={rowAt(before, change.loadedPointer ?? change.pointer)}
                value={change.before}
                labels={labels}
              />
            </td>
            <td className="gf-after">
              <ValueOf row={rowAt(state, change.pointer)} value={change.after} labels={labels} />
            </td>
            {revert && (
              <td>
                <button
                  type="button"
                  className="gf-button"
                  aria-label={`${labels.revert}: ${change.path.join(' / ')}`}
                  onClick={() => revert(change)}
                >
                  {labels.revert}
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The label of the changed field, the labels of its containers, its path and the kind of the change. */
function ChangePath({ change, labels }: { readonly change: Change; readonly labels: Labels }): ReactNode {
  const { path, pointer, kind } = change;
  const containers = path.slice(0, -1).join(' / ');
  return (
    <>
      {containers !== '' && (
        <span className="gf-quiet" dir="auto">
          {containers} /{' '}
        </span>
      )}
      <span className="gf-change-label" dir="auto">
        {path.at(-1) ?? labels.form}
      </span>{' '}
      <span className={`gf-badge gf-badge-${kind}`}>{labels.kinds[kind]}</span>
      <span className="gf-code gf-path">{pointer === '' ? '/' : pointer}</span>
    </>
  );
}

interface ValueFacts {
  readonly row: Row | undefined;
  readonly value: Json | undefined;
  readonly labels: Labels;
}

/** A value as people read it: the label of its option, its text, or JSON. Secrets are not shown. */
function ValueOf({ row, value, labels }: ValueFacts): ReactNode {
  if (value === undefined) return <span className="gf-quiet">{labels.notSet}</span>;
  if (row?.editor.kind === 'text' && row.editor.secret) return labels.hidden;
  const option = row && optionsOf(row).find((each) => labelOf(each.value) === labelOf(value));
  const text = typeof value === 'object' && value !== null ? structureText(value) : labelOf(value);
  return (
    <>
      {option !== undefined && option.label !== text && <span dir="auto">{option.label} </span>}
      <code dir="auto">{text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)} …` : text}</code>
    </>
  );
}

/** Returns scalars of a list in one line, any other structure as JSON. */
function structureText(value: Json): string {
  const isScalarList = isList(value) && value.every((item) => typeof item !== 'object' || item === null);
  return isScalarList ? value.map(labelOf).join(', ') : writeJson(value, 2);
}

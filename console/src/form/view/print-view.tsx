import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  changesOf,
  type FormState,
  openAll,
  type Row,
  rowsOf,
  titlesTo,
  withFilter,
} from '../model/index.js';
import { ChangeTable } from './change-list.js';
import { formText } from './form-text.js';
import { shownText } from './shown-text.js';

interface PrintViewProps {
  readonly state: FormState;
  readonly title: string | undefined;
  readonly facts: readonly (readonly [name: string, value: string])[] | undefined;
}

/** The printed form: every value with the labels that lead to it, and the changes. */
export function PrintView({ state, title, facts = [] }: PrintViewProps): ReactNode {
  const changes = changesOf(state);
  return (
    <div className="gf-print">
      <h1>{title ?? formText('form')}</h1>
      <dl className="gf-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{formText('allFilled')}</h2>
      <ValueTable state={state} />
      <h2>{formText('changes', { count: changes.length })}</h2>
      {changes.length > 0 && <ChangeTable state={state} base={state.loaded} changes={changes} />}
    </div>
  );
}

/** All values with the labels that lead to them. */
export function ValueTable({ state }: Pick<PrintViewProps, 'state'>): ReactNode {
  const filled = rowsOf(withFilter(openAll(state), 'is:filled')).rows.filter(hasValue);
  return (
    <table className="gf-values">
      <thead>
        <tr>
          <th scope="col">{formText('field')}</th>
          <th scope="col">{formText('value')}</th>
          <th scope="col">{formText('state')}</th>
        </tr>
      </thead>
      <tbody>
        {filled.map((row) => (
          <tr key={row.id}>
            <th scope="row" dir="auto">
              {titlesTo(state, row.pointer).join(' / ')}
            </th>
            <td dir="auto">
              {shownText(row)} {row.units}
            </td>
            <td>{row.changed ? formText('edited') : formText('loaded')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function hasValue({ kind, filled, editor }: Row): boolean {
  return filled && (kind === 'leaf' || kind === 'json' || editor.kind === 'checkboxes');
}

/** Returns true while the browser prints, so that the print view is rendered only then. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is when this function returns.
    const start = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', start);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', start);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

import type { ReactNode } from 'react';
import { type Change, type FormState, type Json, revertChange, rowAt, writeJson } from '../../model/index.js';
import { useDesk } from '../form-controller.js';

export interface ChangeTableProps {
  readonly state: FormState;
  readonly changes: readonly Change[];
  /** True adds a button that reverts the change. */
  readonly isEditable?: boolean;
}

/** Table of the differences from the loaded document: location, before, after. */
export function ChangeTable({ state, changes, isEditable = false }: ChangeTableProps): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  return (
    <table className="gf-changes">
      <thead>
        <tr>
          <th scope="col">{labels.path}</th>
          <th scope="col">{labels.before}</th>
          <th scope="col">{labels.after}</th>
          {isEditable && <th scope="col">{labels.actions}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.kind} ${change.pointer} ${change.loadedPointer ?? ''}`}>
            <th scope="row">
              {change.path.join(' / ')} <span className="gf-type">{labels.kinds[change.kind]}</span>
            </th>
            <td className="gf-before">
              <ValueOf state={state} change={change} value={change.before} />
            </td>
            <td className="gf-after">
              <ValueOf state={state} change={change} value={change.after} />
            </td>
            {isEditable && (
              <td>
                <button
                  type="button"
                  className="gf-button"
                  aria-label={`${labels.revert}: ${change.path.join(' / ')}`}
                  onClick={() => desk.change(revertChange(desk.now(), change))}
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

interface ValueFacts {
  readonly state: FormState;
  readonly change: Change;
  readonly value: Json | undefined;
}

/** Longer values are cut; the export has the full value. */
const LONG = 2000;

function ValueOf({ state, change, value }: ValueFacts): ReactNode {
  const { labels } = useDesk();
  if (value === undefined) return <span className="gf-quiet">{labels.notSet}</span>;
  const editor = rowAt(state, change.pointer)?.editor;
  if (editor?.kind === 'text' && editor.secret) return labels.hidden;
  const text = typeof value === 'string' ? value : writeJson(value, 2);
  return <code>{text.length > LONG ? `${text.slice(0, LONG)} …` : text}</code>;
}

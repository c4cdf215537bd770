import type { ReactNode } from 'react';
import {
  applyEdit,
  type Change,
  changesOf,
  type FormState,
  type Json,
  revertChange,
  rowAt,
  writeJson,
} from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

/** Maximum number of changes in the dialog; the export contains all changes. */
const MAX_SHOWN_CHANGES = 500;

/** Dialog with all differences from the loaded document, to review or revert them before sending. */
export function ChangesDialog({
  state,
  onSubmit,
}: {
  readonly state: FormState;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}): ReactNode {
  const controller = useFormController();
  const { labels, canEdit } = controller;
  const changes = changesOf(state);
  const send = () => {
    controller.showDialog(undefined);
    onSubmit?.(controller.now());
  };
  return (
    <FormDialog
      title={labels.changes(changes.length)}
      isWide
      actions={
        <>
          {onSubmit && (
            <button type="button" className="gf-button gf-primary" onClick={send}>
              {labels.submit}
            </button>
          )}
          {canEdit && changes.length > 0 && (
            <button
              type="button"
              className="gf-button"
              onClick={() => controller.change(applyEdit(controller.now(), { kind: 'revert', pointer: '' }))}
            >
              {labels.revertAll}
            </button>
          )}
        </>
      }
    >
      {changes.length === 0 ? (
        <p>{labels.nothingChanged}</p>
      ) : (
        <ChangeTable state={state} changes={changes.slice(0, MAX_SHOWN_CHANGES)} isEditable={canEdit} />
      )}
      {changes.length > MAX_SHOWN_CHANGES && (
        <p className="gf-quiet">{labels.moreChanges(changes.length - MAX_SHOWN_CHANGES)}</p>
      )}
    </FormDialog>
  );
}

export interface ChangeTableProps {
  readonly state: FormState;
  readonly changes: readonly Change[];
  /** True adds a button that reverts the change. */
  readonly isEditable?: boolean;
}

/** Table of the differences from the loaded document: location, before, after. */
export function ChangeTable({ state, changes, isEditable = false }: ChangeTableProps): ReactNode {
  const controller = useFormController();
  const { labels } = controller;
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
                  onClick={() => controller.change(revertChange(controller.now(), change))}
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

/** Maximum length of a shown value; the export contains the full value. */
const MAX_VALUE_LENGTH = 2000;

function ValueOf({ state, change, value }: ValueFacts): ReactNode {
  const { labels } = useFormController();
  if (value === undefined) return <span className="gf-quiet">{labels.notSet}</span>;
  const editor = rowAt(state, change.pointer)?.editor;
  if (editor?.kind === 'text' && editor.secret) return labels.hidden;
  const text = typeof value === 'string' ? value : writeJson(value, 2);
  return <code>{text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)} …` : text}</code>;
}

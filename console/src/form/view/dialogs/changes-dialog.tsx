import type { ReactNode } from 'react';
import { applyEdit, changesOf, type FormState } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { ChangeTable } from './change-table.js';
import { FormDialog } from './form-dialog.js';

/** More changes are not looked through one by one; the export has them. */
const SHOWN = 500;

/** Everything that differs from what was loaded, to be looked at before it is sent, and taken back. */
export function ChangesDialog({
  state,
  onSubmit,
}: {
  readonly state: FormState;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}): ReactNode {
  const desk = useDesk();
  const { labels, canEdit } = desk;
  const changes = changesOf(state);
  const send = () => {
    desk.show(undefined);
    onSubmit?.(desk.now());
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
              onClick={() => desk.change(applyEdit(desk.now(), { kind: 'revert', pointer: '' }))}
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
        <ChangeTable state={state} changes={changes.slice(0, SHOWN)} isEditable={canEdit} />
      )}
      {changes.length > SHOWN && <p className="gf-quiet">{labels.moreChanges(changes.length - SHOWN)}</p>}
    </FormDialog>
  );
}

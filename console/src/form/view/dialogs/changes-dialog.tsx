import type { ReactNode } from 'react';
import { applyEdit, changesOf, type FormState } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { ChangeTable } from './change-table.js';
import { FormDialog } from './form-dialog.js';

/** Maximum number of changes in the dialog; the export has all of them. */
const SHOWN = 500;

/** Dialog with all differences from the loaded document, to review or revert them before sending. */
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

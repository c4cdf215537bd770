import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { applyEdit, changesOf, type FormState, revertChange } from '../../model/index.js';
import { ChangeTable, MAX_SHOWN_CHANGES } from '../change-list.js';
import { useFormController } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

const formText = textOf('form');

/** Dialog with all differences from the loaded document, to review or revert them before sending. */
export function ChangesDialog({
  state,
  onSubmit,
}: {
  readonly state: FormState;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}): ReactNode {
  const controller = useFormController();
  const { canEdit } = controller;
  const changes = changesOf(state);
  const send = () => {
    controller.showDialog(undefined);
    onSubmit?.(controller.now());
  };
  return (
    <FormDialog
      title={formText('changes', { count: changes.length })}
      isWide
      actions={
        <>
          {onSubmit && (
            <button type="button" className="gh-button" data-kind="primary" onClick={send}>
              {formText('submit')}
            </button>
          )}
          {canEdit && changes.length > 0 && (
            <button
              type="button"
              className="gh-button"
              onClick={() => controller.change(applyEdit(controller.now(), { kind: 'revert', pointer: '' }))}
            >
              {formText('revertAll')}
            </button>
          )}
        </>
      }
    >
      {changes.length === 0 ? (
        <p>{formText('nothingChanged')}</p>
      ) : (
        <ChangeTable
          state={state}
          base={state.loaded}
          changes={changes.slice(0, MAX_SHOWN_CHANGES)}
          revert={canEdit ? (change) => controller.change(revertChange(controller.now(), change)) : undefined}
        />
      )}
      {changes.length > MAX_SHOWN_CHANGES && (
        <p className="gf-quiet">{formText('moreChanges', { count: changes.length - MAX_SHOWN_CHANGES })}</p>
      )}
    </FormDialog>
  );
}
